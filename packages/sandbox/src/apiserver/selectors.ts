import { badRequest } from './apiStatus';
import type { KubernetesObject, ResourceType } from './objectStore';

/** Decides whether an object is selected. */
export type Selector = (object: KubernetesObject) => boolean;

type Labels = Record<string, string>;
type Requirement = (labels: Labels) => boolean;

/** Splits at commas outside parentheses. */
function clauses(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (text[index] === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map(part => part.trim()).filter(part => part !== '');
}

function unparsable(text: string): Error {
  return badRequest(
    `unable to parse requirement: found '${text}', expected: a label selector such as 'key', '!key', 'key=value', 'key!=value', 'key in (a,b)', 'key notin (a,b)', 'key>1' or 'key<1'`,
  );
}

const key = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?';
const value = '([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?';
const forms = {
  exists: new RegExp(`^(!?)\\s*(${key})$`),
  set: new RegExp(`^(${key})\\s+(in|notin)\\s*\\((.*)\\)$`),
  equality: new RegExp(`^(${key})\\s*(==|=|!=)\\s*(${value})$`),
  order: new RegExp(`^(${key})\\s*([<>])\\s*(-?\\d+)$`),
};

function requirement(clause: string): Requirement {
  const exists = forms.exists.exec(clause);
  if (exists) {
    const [, not, label] = exists;
    return labels => label in labels === (not === '');
  }
  const set = forms.set.exec(clause);
  if (set) {
    const values = new Set(set[4].split(',').map(one => one.trim()));
    const label = set[1];
    return set[3] === 'in'
      ? labels => label in labels && values.has(labels[label])
      : labels => !(label in labels) || !values.has(labels[label]);
  }
  const equality = forms.equality.exec(clause);
  if (equality) {
    const [, label, , operator, wanted] = equality;
    return operator === '!='
      ? labels => labels[label] !== wanted
      : labels => labels[label] === wanted;
  }
  const order = forms.order.exec(clause);
  if (order) {
    const [, label, , operator, limit] = order;
    return labels => {
      const found = /^-?\d+$/.test(labels[label] ?? '')
        ? Number(labels[label])
        : NaN;
      return operator === '>' ? found > Number(limit) : found < Number(limit);
    };
  }
  throw unparsable(clause);
}

/** Reads a label selector in its query form. Throws 400 when it cannot be read. */
export function labelSelector(text: string): Selector {
  const requirements = clauses(text).map(requirement);
  return object => {
    const labels = object.metadata.labels ?? {};
    return requirements.every(holds => holds(labels));
  };
}

/**
 * Reads a field selector (`field=value`, `==`, `!=`, joined by commas) of a
 * type. Throws 400 when it cannot be read or the type has no such field.
 */
export function fieldSelector(type: ResourceType, text: string): Selector {
  const known = new Set([
    'metadata.name',
    ...(type.namespaced ? ['metadata.namespace'] : []),
    ...Object.keys(
      type.fields?.({ apiVersion: '', kind: '', metadata: { name: '' } }) ?? {},
    ),
  ]);
  const terms = clauses(text).map(clause => {
    const parsed = /^([^=!]+?)(==|=|!=)(.*)$/.exec(clause);
    if (!parsed) {
      throw badRequest(
        `invalid selector: '${clause}'; can't understand '${clause}'`,
      );
    }
    const [, field, operator, wanted] = parsed;
    if (!known.has(field)) {
      throw badRequest(`field label not supported: ${field}`);
    }
    return { field, equal: operator !== '!=', wanted };
  });
  return object => {
    const own = type.fields?.(object) ?? {};
    const values: Record<string, string | undefined> = {
      ...own,
      'metadata.name': object.metadata.name,
      'metadata.namespace': object.metadata.namespace,
    };
    return terms.every(
      ({ field, equal, wanted }) => (values[field] === wanted) === equal,
    );
  };
}

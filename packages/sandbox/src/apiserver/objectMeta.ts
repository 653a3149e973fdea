import {
  badRequest,
  FieldError,
  invalid,
  invalidValue,
  required,
} from './apiStatus';
import type { KubernetesObject, ResourceType } from './objectStore';

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedName})?`;

const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${dnsSubdomain}')`;
const labelRule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${dnsLabel}')`;
const labelKeyRule = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedName}')`;
const labelValueRule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${labelValue}')`;

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
const patterns = {
  label: whole(dnsLabel),
  subdomain: whole(dnsSubdomain),
  qualifiedName: whole(qualifiedName),
  labelValue: whole(labelValue),
};

/** Total size of annotations that a real server accepts, in bytes. */
const annotationBytes = 256 * 1024;

/** What is wrong with `value` as a DNS-1123 subdomain (at most 253 characters), if anything. */
export function subdomainError(
  field: string,
  value: string,
): FieldError | undefined {
  if (value.length > 253) {
    return invalidValue(field, value, 'must be no more than 253 characters');
  }
  return patterns.subdomain.test(value)
    ? undefined
    : invalidValue(field, value, subdomainRule);
}

/** What is wrong with `value` as a DNS-1123 label (at most 63 characters), if anything. */
export function dnsLabelError(
  field: string,
  value: string,
): FieldError | undefined {
  if (value.length > 63) {
    return invalidValue(field, value, 'must be no more than 63 characters');
  }
  return patterns.label.test(value)
    ? undefined
    : invalidValue(field, value, labelRule);
}

/** What is wrong with a map of labels. */
export function labelErrors(
  field: string,
  labels: Record<string, unknown> = {},
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    const name = key.slice(key.indexOf('/') + 1);
    const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : 'a';
    if (!patterns.qualifiedName.test(name)) {
      errors.push(invalidValue(field, key, labelKeyRule));
    } else if (name.length > 63) {
      errors.push(
        invalidValue(
          field,
          key,
          'name part must be no more than 63 characters',
        ),
      );
    } else if (!patterns.subdomain.test(prefix)) {
      errors.push(invalidValue(field, key, `prefix part ${subdomainRule}`));
    }
    if (typeof value !== 'string') {
      throw badRequest(
        `json: cannot unmarshal ${typeof value} into Go struct field ObjectMeta.${field} of type string`,
      );
    }
    if (value.length > 63) {
      errors.push(
        invalidValue(field, value, 'must be no more than 63 characters'),
      );
    } else if (!patterns.labelValue.test(value)) {
      errors.push(invalidValue(field, value, labelValueRule));
    }
  }
  return errors;
}

function nameError(type: ResourceType, name: string): FieldError | undefined {
  if (!name) {
    return required('metadata.name', 'name or generateName is required');
  }
  if (type.group === 'rbac.authorization.k8s.io') {
    // Any path segment will do for these: `system:node`.
    return /[/%]/.test(name) || name === '.' || name === '..'
      ? invalidValue('metadata.name', name, `may not contain '/' or '%'`)
      : undefined;
  }
  return type.kind === 'Namespace'
    ? dnsLabelError('metadata.name', name)
    : subdomainError('metadata.name', name);
}

/** Throws 422 when the metadata of an object to be stored is not acceptable. */
export function checkObjectMeta(
  type: ResourceType,
  object: KubernetesObject,
): void {
  const { name, labels, annotations = {} } = object.metadata;
  const errors: FieldError[] = [];
  const wrongName = nameError(type, name);
  if (wrongName) {
    errors.push(wrongName);
  }
  errors.push(...labelErrors('metadata.labels', labels));
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    const bare = key.slice(key.indexOf('/') + 1).toLowerCase();
    if (!patterns.qualifiedName.test(bare)) {
      errors.push(invalidValue('metadata.annotations', key, labelKeyRule));
    }
    if (typeof value !== 'string') {
      throw badRequest(
        `json: cannot unmarshal ${typeof value} into Go struct field ObjectMeta.metadata.annotations of type string`,
      );
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationBytes) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      message: `Too long: may not be more than ${annotationBytes} bytes`,
    });
  }
  if (errors.length > 0) {
    throw invalid(type, name ?? '', errors);
  }
}

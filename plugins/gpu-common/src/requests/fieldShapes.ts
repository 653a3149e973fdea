import { parseEntityRef } from '@backstage/catalog-model';
import { parseQuantity } from '../quantities';

/** Largest int32, Kubernetes' usual limit of a count. */
export const MAX_INT32 = 2 ** 31 - 1;

const DNS_SUBDOMAIN =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_NAME =
  /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
/** Everything below space but tab and newline. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** The value if it is text, else nothing: what a form sends is not typed. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Text that YAML, JSON and a container's arguments can all carry. */
export function isText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    !CONTROL.test(value) &&
    !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
      value,
    )
  );
}

export function isLine(value: unknown, maxLength: number): value is string {
  return (
    isText(value) &&
    value !== '' &&
    value.length <= maxLength &&
    !/[\n\u0085\u2028\u2029]/.test(value)
  );
}

export function isCount(value: unknown, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
}

export function isDnsSubdomain(
  value: unknown,
  maxLength: number,
): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maxLength &&
    DNS_SUBDOMAIN.test(value)
  );
}

export function isLabelValue(value: unknown): boolean {
  return typeof value === 'string' && LABEL_VALUE.test(value);
}

export function isQualifiedName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 317 &&
    QUALIFIED_NAME.test(value)
  );
}

export function isEntityRef(value: unknown, kind?: string): boolean {
  if (!isLine(value, 253)) {
    return false;
  }
  try {
    const ref = parseEntityRef(value);
    return (
      [ref.kind, ref.namespace, ref.name].every(part =>
        /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(part),
      ) &&
      (kind === undefined || ref.kind.toLocaleLowerCase('en-US') === kind)
    );
  } catch {
    return false;
  }
}

/** Positive, and a multiple of what Kubernetes can count: milli-cores, bytes. */
export function isQuantity(value: unknown, unitNano: bigint): boolean {
  try {
    const nano = typeof value === 'string' ? parseQuantity(value) : 0n;
    return nano > 0n && nano % unitNano === 0n;
  } catch {
    return false;
  }
}

import type { ResourceType } from './objectStore';

/** One entry of `details.causes` of a metav1.Status. */
export interface StatusCause {
  reason: string;
  message: string;
  field?: string;
}

/** `details` of a metav1.Status. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** A metav1.Status as it travels. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

/** A refusal with the code, reason and words of a real API server. */
export class ApiStatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details?: StatusDetails;
  /** Where a list whose continue token expired may go on, inconsistently. */
  readonly continueToken?: string;

  constructor(options: {
    code: number;
    reason: string;
    message: string;
    details?: StatusDetails;
    continueToken?: string;
  }) {
    super(options.message);
    this.name = 'ApiStatusError';
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.continueToken = options.continueToken;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken ? { continue: this.continueToken } : {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details && { details: this.details }),
      code: this.code,
    };
  }
}

type Named = Pick<ResourceType, 'group' | 'resource'>;
type Kinded = Pick<ResourceType, 'group' | 'kind'>;

/** `jobs.batch`, `pods`: a resource as messages call it. */
function qualifiedResource(type: Named): string {
  return type.group ? `${type.resource}.${type.group}` : type.resource;
}

function details(type: Named, name: string): StatusDetails {
  return {
    ...(name && { name }),
    ...(type.group && { group: type.group }),
    kind: type.resource,
  };
}

/** 404: the named object does not exist. */
export function notFound(type: Named, name: string): ApiStatusError {
  return new ApiStatusError({
    code: 404,
    reason: 'NotFound',
    message: `${qualifiedResource(type)} "${name}" not found`,
    details: details(type, name),
  });
}

/** 404: the server has no such path. */
export function unknownPath(): ApiStatusError {
  return new ApiStatusError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** 409: create of a name that is taken. */
export function alreadyExists(type: Named, name: string): ApiStatusError {
  return new ApiStatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualifiedResource(type)} "${name}" already exists`,
    details: details(type, name),
  });
}

/** 409: a stale resourceVersion, or a precondition that does not hold. */
export function conflict(
  type: Named,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiStatusError {
  return new ApiStatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedResource(
      type,
    )} "${name}": ${why}`,
    details: details(type, name),
  });
}

/** 403: admission or lifecycle refuses; `why` follows "is forbidden: ". */
export function forbidden(
  type: Named,
  name: string,
  why: string,
  causes?: StatusCause[],
): ApiStatusError {
  const subject = name
    ? `${qualifiedResource(type)} "${name}"`
    : qualifiedResource(type);
  return new ApiStatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: { ...details(type, name), ...(causes && { causes }) },
  });
}

/** 403 as an admission webhook answers when it denies with metav1.StatusReasonForbidden. */
export function deniedByWebhook(webhook: string, why: string): ApiStatusError {
  return new ApiStatusError({
    code: 403,
    reason: 'Forbidden',
    message: `admission webhook "${webhook}" denied the request: ${why}`,
  });
}

/** 400: the request itself cannot be understood. */
export function badRequest(message: string): ApiStatusError {
  return new ApiStatusError({ code: 400, reason: 'BadRequest', message });
}

/** 415: a body in a format that is not taken here. */
export function unsupportedMediaType(accepted: string[]): ApiStatusError {
  return new ApiStatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(
      ', ',
    )}`,
  });
}

/** 410: asked for a version that is no longer kept. */
export function expired(
  message: string,
  continueToken?: string,
): ApiStatusError {
  return new ApiStatusError({
    code: 410,
    reason: 'Expired',
    message,
    continueToken,
  });
}

/** One wrong field of an object. */
export interface FieldError {
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueTooLong';
  field: string;
  /** Without the field's path: `Required value: …`. */
  message: string;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** `field: Required value[: why]`. */
export function required(field: string, why?: string): FieldError {
  return {
    reason: 'FieldValueRequired',
    field,
    message: why ? `Required value: ${why}` : 'Required value',
  };
}

/** `field: Invalid value: <value>: why`. */
export function invalidValue(
  field: string,
  value: unknown,
  why: string,
): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field,
    message: `Invalid value: ${shown(value)}: ${why}`,
  };
}

/** `field: Unsupported value: <value>: supported values: …`. */
export function notSupported(
  field: string,
  value: unknown,
  supported: string[],
): FieldError {
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: `Unsupported value: ${shown(value)}: supported values: ${supported
      .map(shown)
      .join(', ')}`,
  };
}

/** `field: Forbidden: why`. */
export function forbiddenField(field: string, why: string): FieldError {
  return {
    reason: 'FieldValueForbidden',
    field,
    message: `Forbidden: ${why}`,
  };
}

/** 422: the object is well-formed and wrong. */
export function invalid(
  type: Kinded,
  name: string,
  errors: FieldError[],
): ApiStatusError {
  const kind = type.group ? `${type.kind}.${type.group}` : type.kind;
  const texts = errors.map(error => `${error.field}: ${error.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiStatusError({
    code: 422,
    reason: 'Invalid',
    message: `${kind} "${name}" is invalid: ${list}`,
    details: {
      name,
      ...(type.group && { group: type.group }),
      kind: type.kind,
      causes: errors,
    },
  });
}

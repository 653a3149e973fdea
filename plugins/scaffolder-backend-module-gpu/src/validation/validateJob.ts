import { JsonObject } from '@backstage/types';
import Ajv, { ErrorObject } from 'ajv';
import jobSchema from './data/job.schema.json';
import { kueueJobFormats, kueueJobSchema } from './kueueJob.schema';

const ajv = new Ajv({
  allErrors: true,
  // The OpenAPI document says "type" beside "oneOf" less often than ajv's strict mode wants.
  strict: false,
  formats: {
    ...kueueJobFormats,
    int32: { type: 'number', validate: isIntegerBelow(2 ** 31) },
    int64: { type: 'number', validate: isIntegerBelow(2 ** 63) },
    'date-time': text => !Number.isNaN(Date.parse(text)),
    'int-or-string': true,
  },
});
const validators = [ajv.compile(jobSchema), ajv.compile(kueueJobSchema)];

/**
 * What is wrong with a Job by the schema of batch/v1 (closed: an unknown field is an
 * error), by Kueue's rules, and by the rule that a device is requested exactly as it is
 * limited. Empty when nothing is.
 */
export function validateJob(manifest: JsonObject): string[] {
  const problems = validators.flatMap(validate => {
    validate(manifest);
    return (validate.errors ?? []).map(sentence);
  });
  return problems.length > 0 ? problems : unequalDevices(manifest);
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const detail =
    params.additionalProperty ?? params.propertyName ?? params.allowedValues;
  const path = instancePath.slice(1).replace(/\//g, '.').replace(/~1/g, '/');
  return `${path || 'the Job'} ${message}${
    detail === undefined ? '' : ` (${detail})`
  }`;
}

/** Kubernetes refuses an extended resource whose request differs from its limit. */
function unequalDevices(manifest: any): string[] {
  return manifest.spec.template.spec.containers.flatMap(
    ({ name, resources: { requests, limits } }: any) =>
      Object.keys({ ...requests, ...limits })
        .filter(resource => resource.includes('/'))
        .filter(resource => requests[resource] !== limits[resource])
        .map(
          resource =>
            `container ${name} requests ${requests[resource]} of ${resource} and is limited to ${limits[resource]}; they must be equal`,
        ),
  );
}

function isIntegerBelow(limit: number) {
  return (value: number) => Number.isInteger(value) && Math.abs(value) < limit;
}

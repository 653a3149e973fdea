// Writes src/validation/data/job.schema.json: the JSON Schema of a batch/v1 Job, from the OpenAPI
// v3 document of a Kubernetes release, without what a manifest in Git must not hold.
//
//   dir=$(go mod download -json k8s.io/kubernetes@v1.36.3 | jq -r .Dir)
//   node scripts/jobSchema.mjs $dir/api/openapi-spec/v3/apis__batch__v1_openapi.json v1.36.3
import { readFileSync, writeFileSync } from 'node:fs';

const [file, version] = process.argv.slice(2);
const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components;
const prefix = '#/components/schemas/';
const definitions = {};

/** Keeps what restricts, closes objects, follows references. */
function trim(node) {
  if (node.allOf?.length === 1) return trim(node.allOf[0]);
  if (node.$ref) {
    const name = node.$ref.slice(prefix.length);
    if (!(name in definitions)) {
      definitions[name] = {};
      Object.assign(definitions[name], trim(schemas[name]));
    }
    return { $ref: `#/definitions/${name}` };
  }
  const kept = {};
  for (const key of ['type', 'format', 'enum', 'required', 'oneOf']) {
    if (node[key]) kept[key] = node[key];
  }
  if (node.items) kept.items = trim(node.items);
  if (node.properties) {
    kept.properties = Object.fromEntries(
      Object.entries(node.properties).map(([key, value]) => [key, trim(value)]),
    );
    kept.additionalProperties = false;
  } else if (node.additionalProperties) {
    kept.additionalProperties = trim(node.additionalProperties);
  }
  return kept;
}

const job = structuredClone(schemas['io.k8s.api.batch.v1.Job']);
// What the API server writes has no place in Git.
delete job.properties.status;
job.required = ['apiVersion', 'kind', 'metadata', 'spec'];
job.properties.apiVersion = { type: 'string', enum: ['batch/v1'] };
job.properties.kind = { type: 'string', enum: ['Job'] };

const schema = {
  $comment: `batch/v1 Job of Kubernetes ${version}; written by scripts/jobSchema.mjs`,
  ...trim(job),
  definitions,
};
writeFileSync(
  new URL('../src/validation/data/job.schema.json', import.meta.url),
  `${JSON.stringify(schema)
    .replace(/"io\.k8s\.[^"]*":\{/g, '\n$&')
    .replace('"definitions"', '\n$&')}\n`,
);

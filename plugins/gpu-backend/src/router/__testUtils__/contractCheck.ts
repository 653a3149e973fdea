import { openApi } from '@gpuaas/backstage-plugin-gpu-common';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: true, allErrors: true });
ajv.addKeyword('components');
addFormats(ajv);
ajv.addSchema({ $id: 'contract', components: closed(openApi.components) });

/** Fails unless the answer is what the contract says, with no property more (an error may carry a stack). */
export function answersTo(
  schema: keyof typeof openApi.components.schemas,
  answer: unknown,
): void {
  ajv.validate(`contract#/components/schemas/${schema}`, answer);
  expect({ schema, errors: ajv.errors }).toEqual({ schema, errors: null });
}

function closed(value: any, inError = false): any {
  if (Array.isArray(value)) {
    return value.map(item => closed(item, inError));
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      closed(inner, inError || key === 'Error'),
    ]),
  );
  return copy.type === 'object' &&
    copy.properties &&
    !inError &&
    !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

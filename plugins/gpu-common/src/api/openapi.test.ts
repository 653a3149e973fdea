import Ajv2020 from 'ajv/dist/2020';
import { openApi } from './openapi';

const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    operation: operation as any,
  })),
);

function references(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner)] : references(inner),
  );
}

describe('openApi', () => {
  it('resolves every reference', () => {
    for (const reference of references(openApi)) {
      expect(Object.keys(openApi.components.schemas)).toContain(
        reference.replace('#/components/schemas/', ''),
      );
    }
  });

  it('has only schemas JSON Schema 2020-12 accepts', () => {
    const ajv = new Ajv2020({ strict: true, validateFormats: false });
    ajv.addKeyword('components');
    expect(() =>
      ajv.compile({
        $id: 'openapi',
        components: openApi.components,
        anyOf: Object.keys(openApi.components.schemas).map(name => ({
          $ref: `#/components/schemas/${name}`,
        })),
      }),
    ).not.toThrow();
  });

  it('gives each operation its own id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(operations)(
    '$method $path documents refusals and its path parameters',
    ({ path, operation }) => {
      expect(operation.responses).toHaveProperty('200');
      expect(operation.responses).toHaveProperty('401');
      const named = (operation.parameters ?? [])
        .filter((parameter: any) => parameter.in === 'path')
        .map((parameter: any) => parameter.name);
      expect(named).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]),
      );
    },
  );
});

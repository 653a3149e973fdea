import { versionInfo } from './discovery';
import type { ResourceType } from './objectStore';

const info = { title: 'Kubernetes', version: versionInfo.gitVersion };

/** Media type of the specification as kubectl takes it; asked for with an `@` before the version, which Go refuses to read. */
export const openApiProtobufType =
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function definitionName(type: ResourceType): string {
  const group = type.group || 'core';
  return [...group.split('.').reverse(), type.version, type.kind].join('.');
}

/**
 * `/openapi/v2`: every kind as an object of free form. It says which kinds
 * there are, not what is in them; validation is the server's at the write.
 */
export function openApiDocument(types: readonly ResourceType[]) {
  return {
    swagger: '2.0',
    info,
    paths: {},
    definitions: Object.fromEntries(
      types.map(type => [
        definitionName(type),
        {
          type: 'object',
          'x-kubernetes-group-version-kind': [
            { group: type.group, version: type.version, kind: type.kind },
          ],
          'x-kubernetes-preserve-unknown-fields': true,
        },
      ]),
    ),
  };
}

/** A length-delimited field of the protobuf wire format, shorter than 128 bytes. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([number * 8 + 2, content.length]),
    content,
  ]);
}

/**
 * The same as gnostic's openapi.v2.Document in protobuf, which is the only
 * form kubectl reads: `swagger` (field 1) and `info` (field 2). With no
 * definition for a kind, kubectl leaves validation to the server.
 */
export function openApiProtobuf(): Buffer {
  return Buffer.concat([
    field(1, Buffer.from('2.0')),
    field(
      2,
      Buffer.concat([
        field(1, Buffer.from(info.title)),
        field(2, Buffer.from(info.version)),
      ]),
    ),
  ]);
}

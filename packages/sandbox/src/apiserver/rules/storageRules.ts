import { required } from '../apiStatus';
import type { KindRules } from '../kindRules';
import type { KubernetesObject } from '../objectStore';

/** The claim of a sandbox cluster is bound at once: there is no storage to wait for. */
export const claimRules: KindRules = {
  prepareCreate: claim => {
    claim.spec ??= {};
    claim.spec.volumeMode ??= 'Filesystem';
    claim.spec.volumeName ??= `pvc-${claim.metadata.uid}`;
    claim.status = {
      phase: 'Bound',
      accessModes: claim.spec.accessModes,
      capacity: claim.spec.resources?.requests,
    };
  },
  validate: claim => [
    ...(claim.spec.accessModes?.length
      ? []
      : [required('spec.accessModes', 'at least 1 access mode is required')]),
    ...(claim.spec.resources?.requests?.storage
      ? []
      : [required('spec.resources[storage]')]),
  ],
};

function encode(secret: KubernetesObject): void {
  const plain = Object.entries(secret.stringData ?? {});
  for (const [key, value] of plain) {
    secret.data = {
      ...secret.data,
      [key]: Buffer.from(String(value)).toString('base64'),
    };
  }
  delete secret.stringData;
  secret.type ??= 'Opaque';
}

/** core/v1 Secret: stringData is write-only. */
export const secretRules: KindRules = {
  prepareCreate: encode,
  prepareUpdate: encode,
};

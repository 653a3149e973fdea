/* eslint-disable @typescript-eslint/no-explicit-any */
import { parseQuantity } from '@gpuaas/backstage-plugin-gpu-common';
import { FieldError, invalid, invalidValue } from '../apiserver/apiStatus';
import { AdmissionPlugin, KubernetesObject } from '../apiserver/objectStore';
import { denyIfWrong } from './denial';
import { inUseFinalizer } from './names';

const immutable = 'field is immutable';

function duplicate(field: string, value: string): FieldError {
  return {
    reason: 'FieldValueDuplicate',
    field,
    message: `Duplicate value: ${JSON.stringify(value)}`,
  };
}

/** A rule of the CRD's schema (CEL): no value is shown. */
function celError(field: string, why: string): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field,
    message: `Invalid value: ${why}`,
  };
}

/** ClusterQueue: defaults, schema rules (422) and `vclusterqueue.kb.io` (403). */
export const clusterQueueAdmission: AdmissionPlugin = {
  name: 'vclusterqueue.kb.io',
  matches: ({ kind }) => kind === 'ClusterQueue',
  admit: ({ operation, type, object: queue, subresource }) => {
    if (subresource || operation === 'DELETE') return;
    const spec = (queue.spec ??= {});
    if (operation === 'CREATE') holdWhileInUse(queue);
    spec.queueingStrategy ??= 'BestEffortFIFO';
    spec.stopPolicy ??= 'None';
    spec.flavorFungibility = {
      whenCanBorrow: 'MayStopSearch',
      whenCanPreempt: 'TryNextFlavor',
      ...spec.flavorFungibility,
    };
    spec.preemption = {
      reclaimWithinCohort: 'Never',
      withinClusterQueue: 'Never',
      borrowWithinCohort: { policy: 'Never' },
      ...spec.preemption,
    };
    const schema = schemaErrors(spec);
    if (!spec.cohortName && quotasOf(spec).some(q => isSet(q.borrowingLimit))) {
      schema.push(
        celError('spec', 'borrowingLimit must be nil when cohort is empty'),
      );
    }
    if (schema.length > 0) throw invalid(type, queue.metadata.name, schema);
    denyIfWrong(
      'vclusterqueue.kb.io',
      groupErrors(spec, Boolean(spec.cohortName)),
    );
  },
};

/** Cohort: the same rules on its quota. */
export const cohortAdmission: AdmissionPlugin = {
  name: 'vcohort.kb.io',
  matches: ({ kind }) => kind === 'Cohort',
  admit: ({ operation, type, object: cohort, subresource }) => {
    if (subresource || operation === 'DELETE') return;
    const spec = cohort.spec ?? {};
    const schema = schemaErrors(spec);
    if (schema.length > 0) throw invalid(type, cohort.metadata.name, schema);
    denyIfWrong('vcohort.kb.io', groupErrors(spec, Boolean(spec.parentName)));
  },
};

/** ResourceFlavor: kept while a ClusterQueue uses it. */
export const resourceFlavorAdmission: AdmissionPlugin = {
  name: 'mresourceflavor.kb.io',
  matches: ({ kind }) => kind === 'ResourceFlavor',
  admit: ({ operation, object }) => {
    if (operation === 'CREATE') holdWhileInUse(object);
  },
};

/** LocalQueue: its ClusterQueue never changes. */
export const localQueueAdmission: AdmissionPlugin = {
  name: 'localqueue.schema',
  matches: ({ kind }) => kind === 'LocalQueue',
  admit: ({ operation, type, object, oldObject, subresource }) => {
    if (subresource || operation === 'DELETE') return;
    const before = oldObject?.spec?.clusterQueue;
    const after = object.spec?.clusterQueue;
    if (oldObject && before !== after) {
      throw invalid(type, object.metadata.name, [
        invalidValue('spec.clusterQueue', after, immutable),
      ]);
    }
  },
};

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function holdWhileInUse(object: KubernetesObject): void {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(inUseFinalizer)) {
    object.metadata.finalizers = [...finalizers, inUseFinalizer];
  }
}

function quotasOf(spec: any): any[] {
  return (spec.resourceGroups ?? []).flatMap((group: any) =>
    (group.flavors ?? []).flatMap((flavor: any) => flavor.resources ?? []),
  );
}

function schemaErrors(spec: any): FieldError[] {
  const errors: FieldError[] = [];
  (spec.resourceGroups ?? []).forEach((group: any, g: number) => {
    const field = `spec.resourceGroups[${g}]`;
    for (const list of ['coveredResources', 'flavors']) {
      if (!Array.isArray(group[list]) || group[list].length === 0) {
        errors.push({
          reason: 'FieldValueInvalid',
          field: `${field}.${list}`,
          message: `Invalid value: ${
            group[list]?.length ?? 0
          }: spec.resourceGroups[${g}].${list} in body should have at least 1 items`,
        });
        return;
      }
    }
    const isUneven = group.flavors.some(
      (flavor: any) =>
        flavor.resources?.length !== group.coveredResources.length,
    );
    if (isUneven) {
      errors.push(
        celError(
          field,
          'flavors must have the same number of resources as the coveredResources',
        ),
      );
    }
  });
  return errors;
}

function groupErrors(spec: any, hasParent: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const resources = new Set<string>();
  const flavors = new Set<string>();
  const unique = (seen: Set<string>, field: string, name: string) => {
    if (seen.has(name)) errors.push(duplicate(field, name));
    seen.add(name);
  };
  (spec.resourceGroups ?? []).forEach((group: any, g: number) => {
    const groupField = `spec.resourceGroups[${g}]`;
    group.coveredResources.forEach((name: string, r: number) =>
      unique(resources, `${groupField}.coveredResources[${r}]`, name),
    );
    group.flavors.forEach((flavor: any, f: number) => {
      const field = `${groupField}.flavors[${f}]`;
      flavor.resources.forEach((quota: any, r: number) =>
        errors.push(
          ...quotaErrors(
            quota,
            group.coveredResources[r],
            `${field}.resources[${r}]`,
            hasParent,
          ),
        ),
      );
      unique(flavors, `${field}.name`, flavor.name);
    });
  });
  return errors;
}

function quotaErrors(
  quota: any,
  covered: string,
  field: string,
  hasParent: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (quota.name !== covered) {
    errors.push(
      invalidValue(
        `${field}.name`,
        quota.name,
        'must match the name in coveredResources',
      ),
    );
  }
  const nominal = amount(quota.nominalQuota, `${field}.nominalQuota`, errors);
  for (const limit of ['borrowingLimit', 'lendingLimit']) {
    const text = quota[limit];
    if (!isSet(text)) continue;
    const value = amount(text, `${field}.${limit}`, errors);
    if (!hasParent) {
      errors.push(
        invalidValue(
          `${field}.${limit}`,
          String(text),
          'must be nil when cohort is empty',
        ),
      );
    }
    if (
      limit === 'lendingLimit' &&
      value !== undefined &&
      nominal !== undefined &&
      value > nominal
    ) {
      errors.push(
        invalidValue(
          `${field}.${limit}`,
          String(text),
          'must be less than or equal to the nominalQuota',
        ),
      );
    }
  }
  return errors;
}

function amount(
  text: unknown,
  field: string,
  errors: FieldError[],
): bigint | undefined {
  try {
    const value = parseQuantity(text as string);
    if (value < 0n) {
      errors.push(
        invalidValue(field, String(text), 'must be greater than or equal to 0'),
      );
    }
    return value;
  } catch (error) {
    errors.push(invalidValue(field, text, (error as Error).message));
    return undefined;
  }
}

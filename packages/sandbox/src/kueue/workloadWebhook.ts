import { FieldError, invalid, invalidValue } from '../apiserver/apiStatus';
import { sameTree } from '../apiserver/frozenTree';
import { AdmissionPlugin, KubernetesObject } from '../apiserver/objectStore';
import { gateErrors } from './admissionGate';
import { isTrue } from './conditions';
import { denyIfWrong } from './denial';

const immutable = 'field is immutable';

/** Workload: what is frozen while it holds quota (422, schema) and its gates (403, `vworkload.kb.io`). */
export const workloadAdmission: AdmissionPlugin = {
  name: 'vworkload.kb.io',
  matches: ({ kind }) => kind === 'Workload',
  admit: ({ operation, type, object, oldObject, subresource }) => {
    if (operation === 'CREATE') {
      object.spec ??= {};
      object.spec.active ??= true;
      denyIfWrong('vworkload.kb.io', gateErrors(object));
      return;
    }
    if (operation === 'DELETE' || subresource || !oldObject) return;
    const errors = frozenErrors(object, oldObject);
    if (errors.length > 0) throw invalid(type, object.metadata.name, errors);
    denyIfWrong('vworkload.kb.io', gateErrors(object, oldObject));
  },
};

function frozenErrors(
  workload: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const errors: FieldError[] = [];
  const [after, before] = [workload.spec ?? {}, old.spec ?? {}];
  const frozen = (field: string) => {
    if (!sameTree(after[field], before[field])) {
      errors.push(invalidValue(`spec.${field}`, after[field], immutable));
    }
  };
  if (isTrue(old, 'QuotaReserved')) {
    frozen('queueName');
    frozen('podSets');
    const [ref, known] = [after.priorityClassRef, before.priorityClassRef];
    const isSameKind =
      Boolean(ref) === Boolean(known) &&
      ref?.group === known?.group &&
      ref?.kind === known?.kind;
    if (!isSameKind) {
      errors.push(
        invalidValue(
          'spec.priorityClassRef',
          ref,
          'field is immutable while quota reserved',
        ),
      );
    }
  }
  if (isTrue(old, 'Admitted')) frozen('maximumExecutionTimeSeconds');
  return errors;
}

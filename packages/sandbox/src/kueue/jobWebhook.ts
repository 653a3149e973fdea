import {
  FieldError,
  forbiddenField,
  invalidValue,
} from '../apiserver/apiStatus';
import { subdomainError } from '../apiserver/objectMeta';
import {
  AdmissionPlugin,
  KubernetesObject,
  ObjectStore,
} from '../apiserver/objectStore';
import { gateErrors } from './admissionGate';
import { denyIfWrong } from './denial';
import {
  defaultLocalQueue,
  equalCompletionsAnnotation,
  maxExecTimeLabel,
  minParallelismAnnotation,
  priorityClassLabel,
  queueNameLabel,
} from './names';
import { podCount } from './workloadOfJob';

const labelField = (name: string) => `metadata.labels[${name}]`;
const immutable = 'field is immutable';
const isJob = ({ kind }: { kind: string }) => kind === 'Job';

/** `mjob.kb.io`: Jobs with a queue are created suspended; a LocalQueue named `default` is given to those without. */
export function jobDefaulter(store: ObjectStore): AdmissionPlugin {
  return {
    name: 'mjob.kb.io',
    matches: isJob,
    admit: ({ operation, object: job }) => {
      if (operation !== 'CREATE') return;
      const { namespace } = job.metadata;
      if (
        job.metadata.labels?.[queueNameLabel] === undefined &&
        store.get('LocalQueue', defaultLocalQueue, namespace)
      ) {
        job.metadata.labels = {
          ...job.metadata.labels,
          [queueNameLabel]: defaultLocalQueue,
        };
      }
      if (job.metadata.labels?.[queueNameLabel]) job.spec.suspend = true;
    },
  };
}

/** `vjob.kb.io`: what a Job's labels and annotations may say, and which of them may change when. */
export const jobValidator: AdmissionPlugin = {
  name: 'vjob.kb.io',
  matches: isJob,
  admit: ({ operation, object, oldObject, subresource }) => {
    if (subresource || operation === 'DELETE') return;
    denyIfWrong(
      'vjob.kb.io',
      oldObject ? updateErrors(object, oldObject) : createErrors(object),
    );
  },
};

function label(job: KubernetesObject, name: string): string {
  return job.metadata.labels?.[name] ?? '';
}

function createErrors(job: KubernetesObject): FieldError[] {
  return [
    ...queueNameErrors(job),
    ...maxExecTimeErrors(job),
    ...gateErrors(job),
    ...minParallelismErrors(job),
    ...equalCompletionsErrors(job),
  ];
}

function updateErrors(
  job: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const errors = [
    ...queueNameErrors(job),
    ...maxExecTimeErrors(job),
    ...equalCompletionsErrors(job),
  ];
  const minimum = (each: KubernetesObject) =>
    each.metadata.annotations?.[minParallelismAnnotation];
  if (minimum(job) !== minimum(old)) errors.push(...minParallelismErrors(job));
  const isRunning = !job.spec.suspend;
  const unchanged = (name: string) => {
    if (label(job, name) !== label(old, name)) {
      errors.push(invalidValue(labelField(name), label(job, name), immutable));
    }
  };
  if (isRunning) unchanged(queueNameLabel);
  if (isRunning || !old.spec.suspend) unchanged(maxExecTimeLabel);
  errors.push(
    ...priorityClassErrors(job, old, isRunning),
    ...gateErrors(job, old),
  );
  if (
    minimum(old) !== undefined &&
    !old.spec.suspend &&
    job.spec.parallelism !== old.spec.parallelism
  ) {
    errors.push(
      forbiddenField(
        'spec.parallelism',
        'cannot change when partial admission is enabled and the job is not suspended',
      ),
    );
  }
  return errors;
}

function queueNameErrors(job: KubernetesObject): FieldError[] {
  const name = job.metadata.labels?.[queueNameLabel];
  const error = name === undefined ? undefined : subdomainError('', name);
  return name !== undefined && error
    ? [
        {
          reason: 'FieldValueInvalid',
          field: labelField(queueNameLabel),
          message: error.message,
        },
      ]
    : [];
}

function maxExecTimeErrors(job: KubernetesObject): FieldError[] {
  const text = job.metadata.labels?.[maxExecTimeLabel];
  if (text === undefined) return [];
  const field = labelField(maxExecTimeLabel);
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    return [invalidValue(field, text, why)];
  }
  return Number(text) > 0
    ? []
    : [invalidValue(field, Number(text), 'should be greater than 0')];
}

function priorityClassErrors(
  job: KubernetesObject,
  old: KubernetesObject,
  isRunning: boolean,
): FieldError[] {
  const [before, after] = [
    label(old, priorityClassLabel),
    label(job, priorityClassLabel),
  ];
  const refuse = (why: string) => [
    invalidValue(labelField(priorityClassLabel), after, why),
  ];
  if (isRunning && !before && after) {
    return refuse(
      'WorkloadPriorityClass cannot be added to a non-suspended workload',
    );
  }
  return before && !after
    ? refuse('WorkloadPriorityClass cannot be removed from a workload')
    : [];
}

function minParallelismErrors(job: KubernetesObject): FieldError[] {
  const text = job.metadata.annotations?.[minParallelismAnnotation];
  if (text === undefined) return [];
  const field = `metadata.annotations[${minParallelismAnnotation}]`;
  if (!/^[+-]?\d+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    return [invalidValue(field, text, why)];
  }
  const [value, count] = [Number(text), podCount(job)];
  return value > 0 && value < count
    ? []
    : [invalidValue(field, value, `should be between 0 and ${count - 1}`)];
}

function equalCompletionsErrors(job: KubernetesObject): FieldError[] {
  const text = job.metadata.annotations?.[equalCompletionsAnnotation];
  if (text !== 'true') return [];
  const errors: FieldError[] = [];
  if (job.spec.completionMode !== 'Indexed') {
    errors.push(
      invalidValue(
        `metadata.annotations[${equalCompletionsAnnotation}]`,
        text,
        'should not be enabled for NonIndexed jobs',
      ),
    );
  }
  if ((job.spec.parallelism ?? 1) !== (job.spec.completions ?? 1)) {
    errors.push(
      invalidValue(
        'spec.completions',
        job.spec.completions,
        `should be equal to parallelism when ${equalCompletionsAnnotation} is annotation is true`,
      ),
    );
  }
  return errors;
}

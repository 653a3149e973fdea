/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  badRequest,
  FieldError,
  invalidValue,
  notSupported,
  required,
} from '../apiStatus';
import { cloneTree, sameTree } from '../frozenTree';
import type { KindRules } from '../kindRules';
import { dnsLabelError, labelErrors } from '../objectMeta';
import type { KubernetesObject } from '../objectStore';
import { defaultPodSpec, podSpecErrors } from './podSpec';

const immutable = 'field is immutable';

function ownLabels(job: KubernetesObject): Record<string, string> {
  const { uid = '', name } = job.metadata;
  return {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
}

function prepareCreate(job: KubernetesObject): void {
  job.status = {};
  job.spec ??= {};
  const { spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) {
    spec.completions = 1;
  }
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.manualSelector ??= false;
  spec.podReplacementPolicy ??= 'TerminatingOrFailed';
  spec.selector = {
    matchLabels: { 'batch.kubernetes.io/controller-uid': job.metadata.uid },
  };
  spec.template ??= {};
  spec.template.metadata = {
    ...spec.template.metadata,
    labels: { ...spec.template.metadata?.labels, ...ownLabels(job) },
  };
  spec.template.spec ??= {};
  defaultPodSpec(spec.template.spec);
}

/** Defaults hold for what a full replacement leaves out, as decoding does. */
function prepareUpdate(job: KubernetesObject, old: KubernetesObject): void {
  job.spec ??= {};
  const { spec } = job;
  for (const field of [
    'backoffLimit',
    'completionMode',
    'manualSelector',
    'podReplacementPolicy',
    'selector',
  ]) {
    spec[field] ??= cloneTree(old.spec[field]);
  }
  spec.parallelism ??= 1;
  spec.suspend ??= false;
  if (spec.template?.spec) {
    defaultPodSpec(spec.template.spec);
  }
}

function countErrors(spec: any): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of [
    'parallelism',
    'completions',
    'backoffLimit',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
  ]) {
    const value = spec[field];
    if (value === undefined || value === null) {
      continue;
    }
    if (!Number.isInteger(value)) {
      const kind = typeof value === 'number' ? `number ${value}` : typeof value;
      throw badRequest(
        `Job in version "v1" cannot be handled as a Job: json: cannot unmarshal ${kind} into Go struct field JobSpec.spec.${field} of type int32`,
      );
    }
    if (value < 0) {
      errors.push(
        invalidValue(
          `spec.${field}`,
          value,
          'must be greater than or equal to 0',
        ),
      );
    }
  }
  return errors;
}

function validate(job: KubernetesObject): FieldError[] {
  const { spec } = job;
  const errors = countErrors(spec);
  const indexed = spec.completionMode === 'Indexed';
  if (!['Indexed', 'NonIndexed'].includes(spec.completionMode)) {
    errors.push(
      notSupported('spec.completionMode', spec.completionMode, [
        'Indexed',
        'NonIndexed',
      ]),
    );
  }
  if (indexed && spec.completions === undefined) {
    errors.push(
      required('spec.completions', 'when completion mode is Indexed'),
    );
  }
  errors.push(
    ...labelErrors('spec.template.labels', spec.template?.metadata?.labels),
  );
  if (indexed && spec.completions > 0) {
    const hostname = `${job.metadata.name}-${spec.completions - 1}`;
    if (dnsLabelError('', hostname)) {
      errors.push(
        invalidValue(
          'metadata.name',
          job.metadata.name,
          `will not able to create pod with invalid DNS label: ${hostname}`,
        ),
      );
    }
  }
  errors.push(...podSpecErrors('spec.template.spec', spec.template?.spec));
  if (!['OnFailure', 'Never'].includes(spec.template?.spec?.restartPolicy)) {
    errors.push(
      required(
        'spec.template.spec.restartPolicy',
        'valid values: "OnFailure", "Never"',
      ),
    );
  }
  return errors;
}

/**
 * Whether scheduling directives of the template may change: while suspended
 * and not started, or stopped again with no pod left (1.36:
 * MutableSchedulingDirectivesForSuspendedJobs).
 */
function mayReschedule(old: KubernetesObject): boolean {
  const status = old.status ?? {};
  const suspended = status.conditions?.some(
    (condition: any) =>
      condition.type === 'Suspended' && condition.status === 'True',
  );
  return (
    old.spec.suspend === true &&
    (!status.startTime || (suspended && !status.active))
  );
}

/** The template with the old values of what may change while suspended (`kueue.md` 3.2). */
function withoutDirectives(template: any, old: any): any {
  const copy = cloneTree(template ?? {});
  const take = (target: any, source: any, field: string) => {
    if (source?.[field] === undefined) {
      delete target[field];
    } else {
      target[field] = cloneTree(source[field]);
    }
  };
  copy.metadata ??= {};
  copy.spec ??= {};
  take(copy.metadata, old.metadata, 'labels');
  take(copy.metadata, old.metadata, 'annotations');
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates']) {
    take(copy.spec, old.spec, field);
  }
  if (copy.spec.affinity || old.spec?.affinity) {
    copy.spec.affinity ??= {};
    take(copy.spec.affinity, old.spec?.affinity, 'nodeAffinity');
    if (Object.keys(copy.spec.affinity).length === 0) {
      delete copy.spec.affinity;
    }
  }
  for (const list of ['initContainers', 'containers']) {
    (copy.spec[list] ?? []).forEach((container: any, index: number) => {
      take(container, old.spec?.[list]?.[index], 'resources');
    });
  }
  return copy;
}

function templateErrors(
  job: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const before = old.spec.template;
  const after = mayReschedule(old)
    ? withoutDirectives(job.spec.template, before)
    : job.spec.template;
  if (!sameTree(after, before)) {
    return [
      {
        reason: 'FieldValueInvalid',
        field: 'spec.template',
        message: `Invalid value: core.PodTemplateSpec{…}: ${immutable}`,
      },
    ];
  }
  const labels = job.spec.template?.metadata?.labels ?? {};
  return Object.entries(ownLabels(old))
    .filter(([label, value]) => labels[label] !== value)
    .map(([label, value]) =>
      invalidValue(
        `spec.template.metadata.labels[${label}]`,
        labels[label] ?? '',
        `must be '${value}'`,
      ),
    );
}

function validateUpdate(
  job: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const errors = templateErrors(job, old);
  for (const field of [
    'selector',
    'completionMode',
    'podFailurePolicy',
    'successPolicy',
    'backoffLimitPerIndex',
    'managedBy',
  ]) {
    if (!sameTree(job.spec[field], old.spec[field])) {
      errors.push(invalidValue(`spec.${field}`, job.spec[field], immutable));
    }
  }
  if (job.spec.completions !== old.spec.completions) {
    // An elastic Indexed Job moves both together.
    const elastic =
      old.spec.completionMode === 'Indexed' &&
      job.spec.completions === job.spec.parallelism &&
      old.spec.completions === old.spec.parallelism;
    if (!elastic) {
      errors.push(
        invalidValue('spec.completions', job.spec.completions, immutable),
      );
    }
  }
  return errors;
}

/** batch/v1 Job: defaults, validation and what stays fixed, as its strategy has them. */
export const jobRules: KindRules = {
  prepareCreate,
  prepareUpdate,
  validate,
  validateUpdate,
};

/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  badRequest,
  FieldError,
  invalidValue,
  notSupported,
  required,
} from '../apiStatus';
import { dnsLabelError } from '../objectMeta';
import { canonicalQuantities, resourceErrors } from './containerResources';

function setDefault(target: any, field: string, value: unknown): void {
  target[field] ??= value;
}

function isTagless(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !name.includes(':') && !name.includes('@');
}

/** Fills what SetDefaults_PodSpec and SetDefaults_Container of core/v1 fill. */
export function defaultPodSpec(spec: any): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'schedulerName', 'default-scheduler');
  setDefault(spec, 'securityContext', {});
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  for (const list of [spec.initContainers, spec.containers]) {
    for (const container of Array.isArray(list) ? list : []) {
      const image = String(container.image ?? '');
      const pull =
        isTagless(image) || image.endsWith(':latest')
          ? 'Always'
          : 'IfNotPresent';
      setDefault(container, 'imagePullPolicy', pull);
      setDefault(container, 'resources', {});
      canonicalQuantities(container.resources.requests);
      canonicalQuantities(container.resources.limits);
      setDefault(container, 'terminationMessagePath', '/dev/termination-log');
      setDefault(container, 'terminationMessagePolicy', 'File');
    }
  }
}

function envErrors(path: string, env: any[]): FieldError[] {
  const errors: FieldError[] = [];
  env.forEach((variable, index) => {
    const field = `${path}.env[${index}]`;
    if (!variable?.name) {
      errors.push(required(`${field}.name`));
    } else if (/[=\0]/.test(variable.name)) {
      errors.push(
        invalidValue(
          `${field}.name`,
          variable.name,
          "environment variable name must consist of printable ASCII characters, except for '='",
        ),
      );
    }
    const { value, valueFrom } = variable ?? {};
    if (value !== undefined && typeof value !== 'string') {
      throw badRequest(
        `json: cannot unmarshal ${typeof value} into Go struct field EnvVar.${path}.env.value of type string`,
      );
    }
    if (value && valueFrom) {
      errors.push(
        invalidValue(
          `${field}.valueFrom`,
          '',
          'may not be specified when `value` is not empty',
        ),
      );
    }
  });
  return errors;
}

function containerErrors(
  path: string,
  container: any,
  volumes: Set<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!container?.name) {
    errors.push(required(`${path}.name`));
  } else {
    const wrong = dnsLabelError(`${path}.name`, container.name);
    if (wrong) {
      errors.push(wrong);
    }
  }
  if (!container?.image) {
    errors.push(required(`${path}.image`));
  } else if (container.image !== String(container.image).trim()) {
    errors.push(
      invalidValue(
        `${path}.image`,
        container.image,
        'must not have leading or trailing whitespace',
      ),
    );
  }
  for (const list of ['command', 'args']) {
    const wrong = (container?.[list] ?? []).find(
      (word: unknown) => typeof word !== 'string',
    );
    if (wrong !== undefined) {
      throw badRequest(
        `json: cannot unmarshal ${typeof wrong} into Go struct field Container.${path}.${list} of type string`,
      );
    }
  }
  errors.push(...envErrors(path, container?.env ?? []));
  (container?.volumeMounts ?? []).forEach((mount: any, index: number) => {
    const field = `${path}.volumeMounts[${index}]`;
    if (!mount?.name) {
      errors.push(required(`${field}.name`));
    } else if (!volumes.has(mount.name)) {
      errors.push({
        reason: 'FieldValueInvalid',
        field: `${field}.name`,
        message: `Not found: ${JSON.stringify(mount.name)}`,
      });
    }
    if (!mount?.mountPath) {
      errors.push(required(`${field}.mountPath`));
    }
  });
  errors.push(...resourceErrors(`${path}.resources`, container?.resources));
  return errors;
}

/** What is wrong with a pod's spec; `path` leads to it (`spec`, `spec.template.spec`). */
export function podSpecErrors(path: string, spec: any): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Set<string>(
    (spec?.volumes ?? []).map((volume: any) => volume?.name),
  );
  const names = new Set<string>();
  if (!Array.isArray(spec?.containers) || spec.containers.length === 0) {
    errors.push(required(`${path}.containers`));
  }
  for (const list of ['initContainers', 'containers']) {
    (spec?.[list] ?? []).forEach((container: any, index: number) => {
      const field = `${path}.${list}[${index}]`;
      errors.push(...containerErrors(field, container, volumes));
      if (names.has(container?.name)) {
        errors.push({
          reason: 'FieldValueDuplicate',
          field: `${field}.name`,
          message: `Duplicate value: ${JSON.stringify(container.name)}`,
        });
      }
      names.add(container?.name);
    });
  }
  const policies = ['Always', 'OnFailure', 'Never'];
  if (spec?.restartPolicy && !policies.includes(spec.restartPolicy)) {
    errors.push(
      notSupported(`${path}.restartPolicy`, spec.restartPolicy, policies),
    );
  }
  return errors;
}

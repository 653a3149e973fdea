import { checkContainer } from './checkContainer';
import { checkDevice } from './checkDevice';
import {
  isCount,
  isDnsSubdomain,
  isEntityRef,
  isLine,
  isText,
  MAX_INT32,
  text,
} from './fieldShapes';
import { isDnsLabel, isReservedName, MAX_SLUG_LENGTH, slugRule } from './names';
import { list, Problems, RequestProblem, shown } from './requestProblem';
import { secretText } from './secretShape';
import { RequestSpec, RequestSurroundings } from './spec';

/**
 * Checks every answer of a request, whoever typed it; an empty list means that
 * `renderJob` makes a valid Job of it. Never throws.
 *
 * @public
 */
export function checkRequest(
  spec: RequestSpec,
  surroundings: RequestSurroundings = {},
): RequestProblem[] {
  const problems = new Problems();
  checkPeople(spec, problems);
  checkPlace(spec, surroundings, problems);
  checkDevice(spec, surroundings, problems);
  checkContainer(spec, problems);
  return problems.list;
}

function checkPeople(spec: RequestSpec, problems: Problems): void {
  problems.unless(
    isDnsLabel(text(spec.slug), MAX_SLUG_LENGTH) && !isReservedName(spec.slug),
    'name',
    spec.slug,
    slugRule,
  );
  problems.unless(
    isLine(spec.requestId, 253),
    'requestId',
    spec.requestId,
    'the id of the Scaffolder task',
  );
  problems.unless(
    spec.purpose === undefined ||
      (isText(spec.purpose) && spec.purpose.length <= 2000),
    'purpose',
    spec.purpose,
    'text of at most 2000 characters',
  );
  problems.refuseSecret('purpose', secretText(text(spec.purpose)));
  for (const [field, kind] of [
    ['requester', 'user'],
    ['entity', undefined],
    ['team', 'group'],
  ] as const) {
    problems.unless(
      (field === 'team' && spec.team === undefined) ||
        isEntityRef(spec[field], kind),
      field,
      spec[field],
      `an entity reference such as ${kind ?? 'component'}:default/name`,
    );
  }
  problems.unless(
    ['batch', 'interactive', 'serving'].includes(spec.kind),
    'kind',
    spec.kind,
    'batch, interactive or serving',
  );
}

function checkPlace(
  spec: RequestSpec,
  { priorityClasses, takenNames, name }: RequestSurroundings,
  problems: Problems,
): void {
  problems.unless(
    isDnsLabel(text(spec.cluster)),
    'cluster',
    spec.cluster,
    'the name of a cluster under gpu.clusters',
  );
  problems.unless(
    isDnsLabel(text(spec.namespace)) && !isReservedName(spec.namespace),
    'namespace',
    spec.namespace,
    "the name of a team's namespace",
  );
  problems.unless(
    isDnsSubdomain(spec.queue, 63),
    'queue',
    spec.queue,
    'the name of a LocalQueue',
  );
  const { priorityClass } = spec;
  if (priorityClass !== undefined) {
    problems.unless(
      isDnsSubdomain(priorityClass, 63) &&
        (priorityClasses?.includes(priorityClass) ?? true),
      'priorityClass',
      priorityClass,
      priorityClasses
        ? `one this queue may use: ${list(priorityClasses)}`
        : 'the name of a WorkloadPriorityClass',
    );
  }
  const duration = spec.maxDurationSeconds;
  problems.unless(
    duration === undefined || isCount(duration, MAX_INT32),
    'maxDurationSeconds',
    duration,
    `whole seconds from 1 to ${MAX_INT32}`,
  );
  if (name !== undefined && takenNames?.includes(name)) {
    problems.add(
      'name',
      name,
      `name is ${shown(name)}, which namespace ${
        spec.namespace
      } has already; accepted is a name not in use`,
    );
  }
}

import {
  isCount,
  isDnsSubdomain,
  isLine,
  isQualifiedName,
  isLabelValue,
  MAX_INT32,
} from './fieldShapes';
import { unpinnable } from './flavorPin';
import { list, Problems, shown } from './requestProblem';
import { RequestSpec, RequestSurroundings } from './spec';

/** Indexes an Indexed Job may have. */
const MAX_PODS = 100_000;

/** What is asked for: class, flavor, counts. */
export function checkDevice(
  spec: RequestSpec,
  { offers }: RequestSurroundings,
  problems: Problems,
): void {
  const before = problems.list.length;
  const pods = spec.pods ?? 1;
  const { deviceClass, flavor, count } = spec;
  problems.unless(
    isLine(deviceClass, 253),
    'deviceClass',
    deviceClass,
    'the id of a device class',
  );
  problems.unless(
    isDnsSubdomain(flavor, 253),
    'flavor',
    flavor,
    'the name of a ResourceFlavor',
  );
  problems.unless(
    isQualifiedName(spec.resourceName),
    'resourceName',
    spec.resourceName,
    'an extended resource such as nvidia.com/gpu',
  );
  const { nodeLabels } = spec;
  problems.unless(
    typeof nodeLabels === 'object' &&
      nodeLabels !== null &&
      !Array.isArray(nodeLabels),
    'nodeLabels',
    nodeLabels,
    "the flavor's node labels",
  );
  for (const [key, value] of Object.entries(nodeLabels ?? {})) {
    problems.unless(
      isQualifiedName(key) && isLabelValue(value),
      `nodeLabels.${key}`,
      value,
      'a Kubernetes label',
    );
  }
  problems.unless(
    isCount(count, MAX_INT32),
    'count',
    count,
    'a whole number from 1 up, without a suffix',
  );
  problems.unless(
    isCount(pods, MAX_PODS),
    'pods',
    pods,
    `a whole number from 1 to ${MAX_PODS}`,
  );
  if (problems.list.length > before) {
    return;
  }
  if (spec.singleUnit && count > 1) {
    problems.add(
      'count',
      count,
      `count is ${shown(
        count,
      )}; accepted is 1, because ${deviceClass} is a shared GPU: a second replica may be the same GPU and gives no more of it`,
    );
  }
  const offer = offers?.find(
    o => o.deviceClass.id === deviceClass && o.flavor === flavor,
  );
  if (offers && !offer) {
    const ids = [...new Set(offers.map(o => o.deviceClass.id))].sort();
    problems.unless(
      false,
      'deviceClass',
      deviceClass,
      `one that a flavor of ${spec.cluster} offers: ${list(ids)}`,
    );
    return;
  }
  const why = unpinnable(
    flavor,
    deviceClass,
    spec.resourceName,
    nodeLabels ?? {},
    offers ?? [],
  );
  if (why) {
    problems.add('flavor', flavor, `flavor is ${shown(flavor)}; ${why}`);
  }
}

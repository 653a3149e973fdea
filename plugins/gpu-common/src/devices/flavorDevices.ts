import { FlavorPart } from './clusterParts';
import { DeviceClass, DeviceForm, Vendor } from './deviceClass';
import { DeviceFinding } from './finding';
import { findGpuModel } from './gpuModels';
import { NodeDevices, NodeOffer } from './nodeDevices';

/**
 * A device class as one flavor carries it.
 *
 * @public
 */
export interface FlavorClass {
  deviceClass: DeviceClass;
  /** Nodes of the flavor that have it. */
  nodes: NodeDevices[];
}

/**
 * What a ResourceFlavor is: the device classes of the nodes its labels choose.
 *
 * @public
 */
export interface FlavorDevices {
  flavor: string;
  nodeLabels: Record<string, string>;
  nodes: NodeDevices[];
  classes: FlavorClass[];
  findings: DeviceFinding[];
}

/**
 * Reads the device classes of a flavor from the nodes that carry all its
 * `nodeLabels`. The class follows the flavor: where its nodes offer different
 * classes under one resource name, that resource has no class and a finding
 * says so, for a request could land on either.
 *
 * The share of a class is its mean over the flavor's nodes, weighted by units,
 * in nano-GPU: what a request is worth before it is placed.
 *
 * @param resourceName - only this resource; absent: every GPU resource the nodes have
 * @public
 */
export function flavorDevices(
  flavor: FlavorPart,
  nodes: readonly NodeDevices[],
  resourceName?: string,
): FlavorDevices {
  const name = flavor.metadata.name;
  const nodeLabels = flavor.spec?.nodeLabels ?? {};
  const result: FlavorDevices = {
    flavor: name,
    nodeLabels,
    nodes: [],
    classes: [],
    findings: [],
  };
  const report = (code: DeviceFinding['code'], message: string) =>
    result.findings.push({ code, kind: 'ResourceFlavor', name, message });

  const keys = Object.keys(nodeLabels);
  if (keys.length === 0) {
    report(
      'flavor-without-labels',
      `ResourceFlavor ${name} has no spec.nodeLabels, so that nothing tells its devices from others': give it labels that only its nodes have, such as nvidia.com/gpu.product`,
    );
    return result;
  }
  result.nodes = nodes.filter(node =>
    keys.every(key => node.labels[key] === nodeLabels[key]),
  );
  if (result.nodes.length === 0) {
    report(
      'flavor-matches-no-node',
      `ResourceFlavor ${name} matches no node: none has ${keys
        .map(key => `${key}=${nodeLabels[key]}`)
        .join(', ')}`,
    );
    return result;
  }

  const resources = [
    ...new Set(
      result.nodes.flatMap(node =>
        node.offers.map(offer => offer.resourceName),
      ),
    ),
  ].filter(resource => !resourceName || resource === resourceName);
  if (resources.length === 0) {
    report(
      'flavor-without-devices',
      `ResourceFlavor ${name} matches ${
        result.nodes.length
      } nodes, of which none has ${resourceName ?? 'a GPU resource'}`,
    );
  }
  for (const resource of resources) {
    const having = result.nodes.filter(node => offerOf(node, resource));
    const byClass = new Map<string, NodeDevices>();
    for (const node of having) {
      const id = deviceClassId(offerOf(node, resource)!);
      if (!byClass.has(id)) byClass.set(id, node);
    }
    if (byClass.size > 1) {
      report(
        'flavor-mixes-classes',
        `ResourceFlavor ${name}: ${resource} is ${[...byClass]
          .map(([id, node]) => `${id} on node ${node.node}`)
          .join(' and ')}; give the flavor a label that tells them apart`,
      );
    } else {
      result.classes.push({
        deviceClass: deviceClass(having.map(node => offerOf(node, resource)!)),
        nodes: having,
      });
    }
  }
  return result;
}

/**
 * Nodes that more than one flavor chooses: their devices would be counted, and
 * sold, twice.
 *
 * @public
 */
export function overlapFindings(
  flavors: readonly FlavorDevices[],
): DeviceFinding[] {
  const findings: DeviceFinding[] = [];
  flavors.forEach((flavor, index) => {
    const names = new Set(flavor.nodes.map(node => node.node));
    for (const other of flavors.slice(index + 1)) {
      const shared = other.nodes.find(node => names.has(node.node));
      if (shared) {
        findings.push({
          code: 'flavors-overlap',
          kind: 'ResourceFlavor',
          name: flavor.flavor,
          message: `ResourceFlavors ${flavor.flavor} and ${other.flavor} both match node ${shared.node}; give each labels that only its own nodes have`,
        });
      }
    }
  });
  return findings;
}

/**
 * Id of the class an offer belongs to, in the grammar of {@link DeviceClass}.
 *
 * @public
 */
export function deviceClassId(
  offer: Pick<NodeOffer, 'vendor' | 'product' | 'form'>,
): string {
  const { partition, replicas, sharing } = offer.form;
  const cut = offer.vendor === 'nvidia' ? `.mig-${partition}` : `.${partition}`;
  const share = `.${sharing === 'mps' ? 'mps' : 'shared'}-${replicas}`;
  return `${offer.product}${partition ? cut : ''}${
    (replicas ?? 1) > 1 ? share : ''
  }`;
}

function offerOf(node: NodeDevices, resource: string): NodeOffer | undefined {
  return node.offers.find(offer => offer.resourceName === resource);
}

function deviceClass(offers: NodeOffer[]): DeviceClass {
  const [first] = offers;
  const units = offers.reduce((sum, offer) => sum + offer.capacity, 0);
  const shares = offers.reduce(
    (sum, offer) => sum + BigInt(offer.shareNano) * BigInt(offer.capacity),
    0n,
  );
  return {
    id: deviceClassId(first),
    title: title(first),
    vendor: first.vendor,
    model: first.model,
    form: first.form,
    resourceName: first.resourceName,
    shareNano: Number(shares / BigInt(units)),
    // The least any of its nodes gives: a promise that holds on all of them.
    vramMiB: Math.min(...offers.map(offer => offer.vramMiB)),
    isolation: isolationOf(first.vendor, first.form, first.model),
    singleUnit: (first.form.replicas ?? 1) > 1,
    goodFor: goodFor(first.form, first.shareNano, first.model),
  };
}

function title({ product, model, form }: NodeOffer): string {
  const name =
    findGpuModel(model)?.name ?? product.replace(/-/g, ' ').toUpperCase();
  const { partition, replicas, sharing } = form;
  return [
    name,
    ...(partition ? [partition] : []),
    ...((replicas ?? 1) > 1
      ? [`1 of ${replicas} by ${sharing === 'mps' ? 'MPS' : 'time-slicing'}`]
      : []),
  ].join(', ');
}

/**
 * What keeps neighbours apart: `hardware` for whole GPUs and MIG, `memory` for
 * MPS (each has its part of the memory, errors are shared), `none` for
 * time-slicing, and for AMD partitions that share a memory domain.
 *
 * @public
 */
export function isolationOf(
  vendor: Vendor,
  form: DeviceForm,
  model: string,
): DeviceClass['isolation'] {
  if ((form.replicas ?? 1) > 1) {
    return form.sharing === 'mps' ? 'memory' : 'none';
  }
  if (vendor !== 'amd' || !form.partition) return 'hardware';
  const geometry = findGpuModel(model)?.amd;
  const [compute, memory] = form.partition.split('_');
  const parts = geometry?.computeModes[compute] ?? Infinity;
  return (geometry?.memoryModes[memory] ?? 0) >= parts ? 'hardware' : 'none';
}

function goodFor(form: DeviceForm, shareNano: number, model: string): string[] {
  if ((form.replicas ?? 1) > 1) return ['notebooks', 'development'];
  if (form.partition) {
    return shareNano >= 400_000_000
      ? ['inference', 'evaluation', 'small fine-tuning']
      : ['inference', 'evaluation'];
  }
  const fabric = findGpuModel(model)?.fabric;
  return fabric === undefined || fabric === 'pcie'
    ? ['fine-tuning', 'inference']
    : ['training', 'fine-tuning', 'whole nodes'];
}

import { createHash } from 'node:crypto';
import { KubernetesObject } from '../apiserver/objectStore';
import {
  a100Profiles,
  ClusterName,
  layoutsOf,
  NodeLayout,
  serversOf,
  unitsPerGpu,
} from './layouts';

/** One physical GPU as the annotation `sandbox.gpuaas.io/devices` lists it. */
export interface Device {
  uuid: string;
  index: number;
  /** MIG partitions with their GPU instance ids; empty when not partitioned. */
  partitions: Array<{ profile: string; id: number }>;
  replicas: number;
}

export const devicesAnnotation = 'sandbox.gpuaas.io/devices';

const kubeletVersion = 'v1.36.3';
const serverCpus = 256;
const serverMemoryGi = 2048;

/** A UUID as the driver prints it, always the same for the same GPU. */
function deviceUuid(nodeName: string, index: number): string {
  const hex = createHash('sha256').update(`${nodeName}/${index}`).digest('hex');
  return `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(
    12,
    16,
  )}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

function devicesOf(nodeName: string, layout: NodeLayout): Device[] {
  return Array.from({ length: layout.gpusPerServer }, (_, index) => ({
    uuid: deviceUuid(nodeName, index),
    index,
    partitions: Object.entries(layout.partitions ?? {}).flatMap(
      ([profile, count]) =>
        Array.from({ length: count }, (_unused, n) => ({
          profile,
          id: a100Profiles[profile].firstInstanceId + n,
        })),
    ),
    replicas: layout.replicas,
  }));
}

/** Labels of GPU Feature Discovery for a layout, without the `nvidia.com/` prefix. */
function featureLabels(layout: NodeLayout): Record<string, string> {
  const { gpu, replicas, gpusPerServer, partitions } = layout;
  const shared = replicas > 1;
  const labels: Record<string, string> = {
    'cuda.driver-version.full': '580.105.08',
    'cuda.driver-version.major': '580',
    'cuda.driver-version.minor': '105',
    'cuda.driver-version.revision': '08',
    'cuda.runtime-version.full': '13.0',
    'cuda.runtime-version.major': '13',
    'cuda.runtime-version.minor': '0',
    'gpu.compute.major': String(gpu.compute.major),
    'gpu.compute.minor': String(gpu.compute.minor),
    'gpu.count': String(gpusPerServer),
    'gpu.family': gpu.family,
    'gpu.machine': gpu.machine,
    'gpu.memory': String(gpu.memoryMiB),
    'gpu.mode': 'compute',
    'gpu.present': 'true',
    'gpu.product': gpu.product,
    'gpu.replicas': String(replicas),
    'gpu.sharing-strategy': shared ? 'time-slicing' : 'none',
    'mig.capable': String(gpu.family !== 'ada-lovelace'),
    'mig.strategy': 'mixed',
    'mps.capable': 'false',
    'vgpu.present': 'false',
  };
  if (shared) {
    labels['device-plugin.config'] = layout.name;
  }
  if (!partitions) {
    if (gpu.family !== 'ada-lovelace') {
      labels['mig.config'] = 'all-disabled';
      labels['mig.config.state'] = 'success';
    }
    return labels;
  }
  labels['mig.config'] = layout.migConfig!;
  labels['mig.config.state'] = 'success';
  for (const [name, perGpu] of Object.entries(partitions)) {
    const profile = a100Profiles[name];
    const prefix = `mig-${name}`;
    Object.assign(labels, {
      [`${prefix}.count`]: String(perGpu * gpusPerServer),
      [`${prefix}.engines.copy`]: String(profile.slices),
      [`${prefix}.engines.decoder`]: String(profile.decoders),
      [`${prefix}.engines.encoder`]: '0',
      [`${prefix}.engines.jpeg`]: '0',
      [`${prefix}.engines.ofa`]: '0',
      [`${prefix}.memory`]: String(profile.memoryMiB),
      [`${prefix}.multiprocessors`]: String(profile.multiprocessors),
      [`${prefix}.product`]: `${gpu.product}-MIG-${name}`,
      [`${prefix}.replicas`]: '1',
      [`${prefix}.sharing-strategy`]: 'none',
      [`${prefix}.slices.ci`]: String(profile.slices),
      [`${prefix}.slices.gi`]: String(profile.slices),
    });
  }
  return labels;
}

interface NodeShape {
  name: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  cpus: number;
  memoryGi: number;
  extended: Record<string, string>;
  address: string;
  createdAt: string;
}

function node(shape: NodeShape): KubernetesObject {
  const resources = (cpu: string, memory: string) => ({
    cpu,
    memory,
    'ephemeral-storage': '3500Gi',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    pods: '250',
    ...shape.extended,
  });
  const condition = (
    type: string,
    status: string,
    reason: string,
    message: string,
  ) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: shape.createdAt,
    lastTransitionTime: shape.createdAt,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: shape.name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': shape.name,
        'kubernetes.io/os': 'linux',
        ...shape.labels,
      },
      ...(shape.annotations && { annotations: shape.annotations }),
    },
    spec: {},
    status: {
      capacity: resources(String(shape.cpus), `${shape.memoryGi}Gi`),
      // What the kubelet and the system keep for themselves.
      allocatable: resources(
        String(shape.cpus - 2),
        `${shape.memoryGi - 16}Gi`,
      ),
      addresses: [
        { type: 'InternalIP', address: shape.address },
        { type: 'Hostname', address: shape.name },
      ],
      conditions: [
        condition(
          'MemoryPressure',
          'False',
          'KubeletHasSufficientMemory',
          'kubelet has sufficient memory available',
        ),
        condition(
          'DiskPressure',
          'False',
          'KubeletHasNoDiskPressure',
          'kubelet has no disk pressure',
        ),
        condition(
          'PIDPressure',
          'False',
          'KubeletHasSufficientPID',
          'kubelet has sufficient PID available',
        ),
        condition(
          'Ready',
          'True',
          'KubeletReady',
          'kubelet is posting ready status',
        ),
      ],
      nodeInfo: {
        architecture: 'amd64',
        containerRuntimeVersion: 'cri-o://1.35.1',
        kernelVersion: '5.14.0-570.12.1.el9_6.x86_64',
        kubeletVersion,
        operatingSystem: 'linux',
        osImage: 'Red Hat Enterprise Linux CoreOS 9.6',
      },
    },
  };
}

function gpuNode(
  cluster: ClusterName,
  layout: NodeLayout,
  number: number,
  address: string,
  createdAt: string,
): KubernetesObject {
  const name = `${cluster}-${layout.name}-${String(number).padStart(2, '0')}`;
  const extended = Object.fromEntries(
    Object.entries(unitsPerGpu(layout)).map(([resource, units]) => [
      resource,
      String(units * layout.gpusPerServer),
    ]),
  );
  return node({
    name,
    labels: {
      'node-role.kubernetes.io/worker': '',
      'gpuaas.io/pool': layout.pool,
      ...Object.fromEntries(
        Object.entries(featureLabels(layout)).map(([key, value]) => [
          `nvidia.com/${key}`,
          value,
        ]),
      ),
    },
    annotations: {
      [devicesAnnotation]: JSON.stringify(devicesOf(name, layout)),
    },
    cpus: serverCpus,
    memoryGi: serverMemoryGi,
    extended,
    address,
    createdAt,
  });
}

/**
 * The Node objects of a cluster: GPU servers on spokes, and three control
 * plane nodes on the hub.
 *
 * @param createdAt - RFC 3339 stamp of their conditions
 */
export function nodesOf(
  cluster: ClusterName,
  createdAt: string,
): KubernetesObject[] {
  if (cluster === 'hub') {
    return [1, 2, 3].map(number =>
      node({
        name: `hub-control-${number}`,
        labels: { 'node-role.kubernetes.io/control-plane': '' },
        cpus: 16,
        memoryGi: 64,
        extended: {},
        address: `10.0.0.${number}`,
        createdAt,
      }),
    );
  }
  const subnet = cluster === 'spoke-a' ? '10.1' : '10.2';
  return layoutsOf(cluster).flatMap((layout, layoutIndex) =>
    Array.from({ length: serversOf(layout, cluster) }, (_, index) =>
      gpuNode(
        cluster,
        layout,
        index + 1,
        `${subnet}.${layoutIndex}.${index + 1}`,
        createdAt,
      ),
    ),
  );
}

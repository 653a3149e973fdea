import { Unit } from './deviceHistory';
import { Holder } from './workProfile';

/** Labels of a series, with its name as `__name__`. */
export type Labels = Record<string, string>;

const HOLDER_LABELS = ['pod', 'namespace', 'container'];

/** Labels that change with the pod on the device. */
export function isHolderLabel(label: string): boolean {
  return HOLDER_LABELS.includes(label);
}

/** Labels of a device or MIG instance, as dcgm-exporter and the scrape give them. */
export function unitLabels({ node, device, partition }: Unit): Labels {
  return {
    gpu: String(device.index),
    UUID: device.uuid,
    device: `nvidia${device.index}`,
    modelName: node.model,
    ...(partition && {
      GPU_I_PROFILE: partition.profile,
      GPU_I_ID: String(partition.id),
    }),
    hostname: node.name,
    DCGM_FI_DRIVER_VERSION: node.driver,
    instance: `${node.address}:9400`,
    job: 'nvidia-dcgm-exporter',
  };
}

/** Of the pods that share a device only the last one is labelled, as dcgm-exporter does. */
export function holderLabels(holders: Holder[]): Labels {
  const holder = holders[holders.length - 1];
  if (!holder) return {};
  const { pod, namespace, container } = holder;
  return { pod, namespace, container };
}

/** One text a label set. */
export function identity(labels: Labels): string {
  return JSON.stringify(labels);
}

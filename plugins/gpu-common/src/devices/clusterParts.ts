/**
 * The parts of a Kubernetes Node that devices are read from.
 *
 * @public
 */
export interface NodePart {
  metadata: { name: string; labels?: Record<string, string> };
  spec?: { unschedulable?: boolean };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    conditions?: Array<{ type: string; status: string }>;
  };
}

/**
 * The parts of a Pod that say which devices it holds.
 *
 * @public
 */
export interface PodPart {
  metadata: { name: string; namespace?: string };
  spec?: {
    nodeName?: string;
    containers?: ContainerPart[];
    initContainers?: ContainerPart[];
  };
  status?: { phase?: string };
}

/** @public */
export interface ContainerPart {
  /** Of an init container: `Always` makes it a sidecar, which holds its devices to the end. */
  restartPolicy?: string;
  resources?: {
    requests?: Record<string, string | number>;
    limits?: Record<string, string | number>;
  };
}

/**
 * The parts of a Kueue ResourceFlavor that choose its nodes.
 *
 * @public
 */
export interface FlavorPart {
  metadata: { name: string };
  spec?: { nodeLabels?: Record<string, string> };
}

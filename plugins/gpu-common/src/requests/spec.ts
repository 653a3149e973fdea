import { DeviceClassOffer } from '../api/deviceClasses';

/**
 * One environment variable: a plain value, or a reference to a Secret of the
 * team's namespace. A secret's value itself never enters Git.
 *
 * @public
 */
export type RequestEnv =
  | { name: string; value: string }
  | { name: string; secretKeyRef: { name: string; key: string } };

/**
 * Everything a rendered Job is made of: the form's answers, completed by what
 * the quota check found (flavor, its node labels, the resource to ask for).
 *
 * @public
 */
export interface RequestSpec {
  /** The Scaffolder task id, so that a retry is the same request. */
  requestId: string;
  /** Short name the person chose; the Job's name is this and a short hash of the request id. */
  slug: string;
  /** Free text for the reviewer. */
  purpose?: string;
  /** User reference, for example `user:default/mira`. */
  requester: string;
  /** Entity the GPU time is attributed to, for example `component:default/llm-finetune`. */
  entity: string;
  /** Group reference of the team that owns the queue. */
  team?: string;
  cluster: string;
  namespace: string;
  /** LocalQueue. */
  queue: string;
  kind: 'batch' | 'interactive' | 'serving';
  /** Device class id. */
  deviceClass: string;
  /** ResourceFlavor that offers the class. */
  flavor: string;
  /** Node labels of that flavor, all of them: they become the nodeSelector. */
  nodeLabels: Record<string, string>;
  /** Extended resource of the class, for example `nvidia.com/gpu`. */
  resourceName: string;
  /** Units of the class one pod asks for. */
  count: number;
  /** True when a pod may hold one unit only (time-slicing, MPS). */
  singleUnit?: boolean;
  /** Pods that run side by side; 1 when absent. */
  pods?: number;
  /** WorkloadPriorityClass. */
  priorityClass?: string;
  /** Longest run time; Kueue stops the Job after it. */
  maxDurationSeconds?: number;
  image: string;
  command?: string[];
  args?: string[];
  env?: RequestEnv[];
  /** An existing PersistentVolumeClaim of the namespace to mount. */
  claim?: { name: string; mountPath: string; readOnly?: boolean };
  /** Requests of one pod, Kubernetes quantities. */
  cpu?: string;
  memory?: string;
  /**
   * Resources the ClusterQueue covers. A Job that asks for one it does not
   * cover is never admitted, so `cpu` and `memory` are rendered only when
   * named here.
   */
  coveredResources?: string[];
}

/**
 * What surrounds a request. A part that is absent is not checked.
 *
 * @public
 */
export interface RequestSurroundings {
  /** What the target cluster offers. */
  offers?: DeviceClassOffer[];
  /** WorkloadPriorityClasses the queue may use. */
  priorityClasses?: string[];
  /** Job names of the namespace that are taken. */
  takenNames?: string[];
  /** Name of the Job this would become, to look up among `takenNames`. */
  name?: string;
}

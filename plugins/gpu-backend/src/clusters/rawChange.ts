import { ObservationGap } from './clusterObserver';
import { KubernetesObject } from './kubernetesObject';

/** One change as it goes into the store: `listed` becomes added, modified or nothing there. */
export interface RawChange {
  type: 'listed' | 'added' | 'modified' | 'deleted';
  /** Trimmed. */
  object: KubernetesObject;
  gap?: ObservationGap;
}

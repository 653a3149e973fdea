import type { ObjectStore } from '../apiserver/objectStore';
import type { Clock } from '../clock';
import { startGarbageCollector } from './garbageCollector';
import { type JobControllerOptions, startJobController } from './jobController';
import { type KubeletOptions, startKubelet } from './kubelet';
import { startNamespaceController } from './namespaceController';
import { startScheduler } from './scheduler';
import { startTtlController } from './ttlController';

export { devicesAnnotation, type HeldDevice, type NodeDevice } from './devices';

/** Starts what every Kubernetes cluster runs beside its API server. */
export function startCoreControllers(
  store: ObjectStore,
  clock: Clock,
  options: KubeletOptions & JobControllerOptions = {},
): { stop: () => void } {
  const controllers = [
    startGarbageCollector(store, clock),
    startNamespaceController(store, clock),
    startJobController(store, clock, options),
    startTtlController(store, clock),
    startScheduler(store, clock),
    startKubelet(store, clock, options),
  ];
  return { stop: () => controllers.forEach(one => one.stop()) };
}

/**
 * The contract the product needs of its world, as cases that run against the
 * sandbox and against real parts.
 *
 * @packageDocumentation
 */
export {
  type RunningWorld,
  type World,
  worlds,
  type WorldCluster,
} from './world';

/**
 * Scaffolder actions that check quota, render a Kueue Job and open a GitOps pull request.
 *
 * @packageDocumentation
 */

export { scaffolderModuleGpu as default } from './module';

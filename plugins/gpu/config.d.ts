export interface Config {
  gpu?: {
    /**
     * The Software Template that asks for GPUs, as an entity reference.
     * `template:default/gpu-batch-job` when absent.
     *
     * @visibility frontend
     */
    requestTemplate?: string;
  };
}

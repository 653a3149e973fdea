import type {
  AdmissionPlugin,
  KubernetesObject,
  ResourceType,
} from './objectStore';

/** `update` and `create` act for this user when none is named. */
const systemUser = 'system:apiserver';

/** Admission plugins, asked in the order in which they were added. */
export class AdmissionChain {
  private readonly plugins: AdmissionPlugin[] = [];

  add(plugin: AdmissionPlugin): void {
    this.plugins.push(plugin);
  }

  /** Lets each plugin that knows the kind change or refuse a write. */
  admit(request: {
    operation: 'CREATE' | 'UPDATE' | 'DELETE';
    type: ResourceType;
    object: KubernetesObject;
    oldObject?: KubernetesObject;
    options: { user?: string; subresource?: 'status' };
  }): void {
    const { options, ...about } = request;
    for (const plugin of this.plugins) {
      if (plugin.matches(request.type)) {
        plugin.admit({
          ...about,
          subresource: options.subresource,
          user: options.user ?? systemUser,
        });
      }
    }
  }
}

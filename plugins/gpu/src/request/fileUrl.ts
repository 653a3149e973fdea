import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';

/**
 * Where the manifest can be read: among the files of its pull request, which
 * outlives its branch. A forge whose addresses are not known gets the
 * repository; a wrong link would be worse than a short one.
 */
export function fileUrl(request: GpuRequest): string | undefined {
  const { pullRequest, file } = request;
  switch (pullRequest?.provider) {
    case 'gitea':
    case 'github':
      return `${pullRequest.url}/files`;
    case 'gitlab':
      return `${pullRequest.url}/diffs`;
    default:
      return /^https?:/.test(file.repoUrl) ? file.repoUrl : undefined;
  }
}

/** Encodes each segment of a path or branch name and keeps the slashes between them. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

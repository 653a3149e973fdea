import { ForgeError } from './forgeError';
import { Answer } from './http';
import { problemPage } from './pages/pageRoutes';

/** Paths of the API, of git and of the switches; every other one is a page. */
export function isForPrograms(path: string): boolean {
  return (
    path.startsWith('/api/') ||
    path.startsWith('/sandbox/') ||
    /\/(info\/refs|git-upload-pack|git-receive-pack)$/.test(path)
  );
}

/** An error as a page. */
export function errorPage(error: unknown): Answer {
  return problemPage(
    error instanceof ForgeError ? error.status : 500,
    error instanceof Error ? error.message : String(error),
  );
}

/** An error as Gitea's API answers every one. */
export function errorAnswer(error: unknown, url: string): Answer {
  const known = error instanceof ForgeError;
  const status = known ? error.status : 500;
  return {
    status,
    json: {
      message: error instanceof Error ? error.message : String(error),
      url: `${url}/api/swagger`,
      ...(known && error.extra),
    },
    headers:
      status === 401 ? { 'WWW-Authenticate': 'Basic realm="Gitea"' } : {},
  };
}

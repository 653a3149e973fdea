/** Everything of a sandbox that listens. */
export const listeners = [
  'hub',
  'spoke-a',
  'spoke-b',
  'forge',
  'prometheus-spoke-a',
  'prometheus-spoke-b',
] as const;
export type Listener = (typeof listeners)[number];
export type Ports = Record<Listener, number>;

export const defaultPortBase = 7400;

/** The ports of a block: the defaults with base 7400. */
export function portsFrom(base: number): Ports {
  return {
    hub: base + 10,
    'spoke-a': base + 11,
    'spoke-b': base + 12,
    forge: base + 20,
    'prometheus-spoke-a': base + 31,
    'prometheus-spoke-b': base + 32,
  };
}

/** Any free port for each: for tests. */
export const anyPorts: Ports = {
  hub: 0,
  'spoke-a': 0,
  'spoke-b': 0,
  forge: 0,
  'prometheus-spoke-a': 0,
  'prometheus-spoke-b': 0,
};

/** A sentence a person can act on, said instead of a stack trace. */
export class SandboxError extends Error {}

/** Starts something that listens; a taken port becomes a {@link SandboxError}. */
export async function listening<T>(
  name: Listener,
  port: number,
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new SandboxError(
          `Port ${port} (${name}) is in use: stop what listens there, perhaps another sandbox, or choose another block with --port-base, for instance --port-base 8400.`,
        );
      case 'EACCES':
        throw new SandboxError(
          `Port ${port} (${name}) is not yours to use: choose one above 1023 with --port-base.`,
        );
      default:
        throw error;
    }
  }
}

import { Addresses } from '../portal/addresses';

type Part = Exclude<keyof Addresses, 'portal'>;

/** Switches a fault of a cluster or of the forge on; packages/sandbox/README.md lists them. */
export async function breakPart(
  addresses: Addresses,
  part: Part,
  fault: Record<string, unknown>,
): Promise<void> {
  await call(addresses, part, 'POST', fault);
}

/** Ends every fault of a cluster or of the forge; its clock stays as it was set. */
export async function healPart(
  addresses: Addresses,
  part: Part,
): Promise<void> {
  await call(addresses, part, 'DELETE');
}

async function call(
  addresses: Addresses,
  part: Part,
  method: string,
  body?: unknown,
) {
  const response = await fetch(`${addresses[part]}/sandbox/faults`, {
    method,
    headers: {
      authorization: `${part === 'forge' ? 'token' : 'Bearer'} sandbox-admin`,
      'content-type': 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(
      `${method} of a fault of ${part}: ${
        response.status
      } ${await response.text()}`,
    );
  }
}

import { ServerResponse } from 'node:http';
import { Clock } from '../clock';
import { mayAtLeast } from './accounts';
import { Fault, Faults, parseFault } from './faults';
import { ForgeError } from './forgeError';
import { Answer, Call, Route, route, sendAnswer } from './http';

/** The switch of the faults: `/sandbox/faults`, for admins. */
export function faultRoutes(faults: Faults): Route[] {
  const forAdmins = (act: (call: Call) => Answer) => (call: Call) => {
    if (!mayAtLeast(call.account, 'admin')) {
      throw new ForgeError(403, 'faults are switched with an admin token');
    }
    return act(call);
  };
  const path = '/sandbox/faults';
  return [
    route(
      'POST',
      path,
      forAdmins(({ body }) => {
        faults.add(parseFault(body));
        return { status: 201, json: faults.list() };
      }),
    ),
    route(
      'GET',
      path,
      forAdmins(() => ({ status: 200, json: faults.list() })),
    ),
    route(
      'DELETE',
      path,
      forAdmins(() => {
        faults.clear();
        return { status: 204 };
      }),
    ),
  ];
}

/** Lets a fault happen; true when the call has been answered by it. */
export async function applyFault(
  fault: Fault,
  clock: Clock,
  response: ServerResponse,
): Promise<boolean> {
  if (fault.delay) {
    await new Promise<void>(resolve => {
      clock.after(fault.delay!, resolve);
    });
  }
  if (fault.drop) {
    response.destroy();
    return true;
  }
  if (fault.status === undefined) {
    return false;
  }
  sendAnswer(response, {
    status: fault.status,
    json: { message: fault.message ?? 'a fault was asked for', url: '' },
    headers:
      fault.retryAfter === undefined
        ? {}
        : { 'Retry-After': String(fault.retryAfter) },
  });
  return true;
}

/** The call runs, its answer never arrives. */
export function dropInsteadOfAnswering(response: ServerResponse) {
  const drop = () => {
    response.destroy();
    return response;
  };
  response.writeHead = drop as ServerResponse['writeHead'];
  response.end = drop as ServerResponse['end'];
}

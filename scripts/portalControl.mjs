// Lets a program that tests a portal break parts of it: each message on the
// program's IPC channel names an action, and is answered when it is done.

/**
 * @param {import('node:child_process').ChildProcess} program
 * @param {Record<string, () => Promise<void>>} actions
 */
export function obey(program, actions) {
  program.on('message', async ({ id, action }) => {
    let error;
    try {
      if (!actions[action]) throw new Error(`no such action: ${action}`);
      await actions[action]();
    } catch (problem) {
      error = problem.message;
    }
    if (program.connected) program.send({ id, error });
  });
}

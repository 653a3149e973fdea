/** What can be done to the parts of a portal of one's own, from outside. */
export type PortalAction =
  | 'kill backend'
  | 'start backend'
  | 'restart database';

interface Answer {
  id: number;
  error?: string;
}

let last = 0;

/**
 * Asks the command that started the portal (`scripts/`) to do it.
 *
 * @throws Error in that command's words, or when no command listens.
 */
export async function control(action: PortalAction): Promise<void> {
  if (!process.send) {
    throw new Error(
      `"${action}" needs a portal that the command has started itself: run this through npm run test:faults`,
    );
  }
  last += 1;
  const id = last;
  const answered = new Promise<void>((resolve, reject) => {
    process.on('message', function onMessage(answer: Answer) {
      if (answer.id !== id) return;
      process.off('message', onMessage);
      if (answer.error) reject(new Error(answer.error));
      else resolve();
    });
  });
  process.send({ id, action });
  await answered;
}

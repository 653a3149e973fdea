import { readBody } from './readBody';

describe('readBody', () => {
  it('reads text whose characters are cut into pieces', async () => {
    const bytes = new TextEncoder().encode('Größe: 5 µm');
    const pieces = new ReadableStream({
      start(controller) {
        bytes.forEach(byte => controller.enqueue(Uint8Array.of(byte)));
        controller.close();
      },
    });
    expect(await readBody(new Response(pieces), 100)).toBe('Größe: 5 µm');
    expect(await readBody(new Response(null), 100)).toBe('');
  });

  it('stops reading what has no end', async () => {
    let sent = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000));
      },
      cancel() {
        cancelled = true;
      },
    });
    await expect(readBody(new Response(endless), 10_000)).rejects.toThrow(
      'The answer is larger than 10000 bytes',
    );
    expect(cancelled).toBe(true);
    expect(sent).toBeLessThan(15);
  });
});

/** Waits until `look` returns something; looks again every few milliseconds. Rejects, naming what was awaited, after so many seconds. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 20,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`${what}: not within ${seconds} s`);
    }
    await new Promise(resolve => {
      setTimeout(resolve, 20);
    });
  }
}

/** Waits until `check` gives something other than undefined, null or false; looks again every few milliseconds. */
export async function until<T>(
  check: () => Promise<T> | T,
  what = 'the condition',
  timeoutMillis = 10_000,
): Promise<Exclude<T, false | null | undefined | '' | 0>> {
  const end = Date.now() + timeoutMillis;
  for (;;) {
    const value = await check();
    if (value) {
      return value as Exclude<T, false | null | undefined | '' | 0>;
    }
    if (Date.now() > end) {
      throw new Error(`Waited ${timeoutMillis} ms for ${what}`);
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/**
 * The text of an answer of at most `maxBytes`: what another system sends must
 * not cost this one its memory.
 *
 * @throws Error when there is more; the rest is not read.
 * @public
 */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new Error(`The answer is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

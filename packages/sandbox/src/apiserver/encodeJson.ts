const ESCAPED = /[<>&\u2028\u2029]/g;

/**
 * JSON as Go's encoder writes it: these characters escaped. It matters to who
 * reads a watch line by line, since two of them end a line in JavaScript.
 */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    ESCAPED,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

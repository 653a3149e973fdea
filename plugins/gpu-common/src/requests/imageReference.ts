const HOST =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]{1,5})?';
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^(?:${HOST}/)?${PART}(?:/${PART})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

/**
 * A container image's name as the distribution project's reference grammar has it:
 * `[host[:port]/]path[:tag][@sha256:digest]`.
 */
export function isImageReference(text: string): boolean {
  return text.length <= 512 && REFERENCE.test(text);
}

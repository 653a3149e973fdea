/**
 * Text that people write into objects of a cluster, as a column takes it: one
 * line of at most `max` characters. Anything else is as good as absent: a
 * database that refuses it would hold up everything of its cluster.
 */
export function userText(
  text: string | undefined,
  max = 255,
): string | undefined {
  return text && text.length <= max && !/\p{Cc}/u.test(text) ? text : undefined;
}

/** A label's whole number; undefined for anything else, such as "8 GPUs". */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  return Number(text);
}

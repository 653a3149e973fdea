import { deniedByWebhook, FieldError } from '../apiserver/apiStatus';

/** Throws what a webhook answers when fields are wrong; nothing when none are. */
export function denyIfWrong(webhook: string, errors: FieldError[]): void {
  if (errors.length === 0) return;
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  throw deniedByWebhook(
    webhook,
    texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`,
  );
}

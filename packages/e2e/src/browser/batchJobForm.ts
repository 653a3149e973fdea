import { Page } from 'playwright-core';

/** Answers the first step of the form: what it is for. */
export async function sayPurpose(
  page: Page,
  { name, purpose }: { name: string; purpose: string },
): Promise<void> {
  await page.getByRole('textbox', { name: 'Short name' }).fill(name);
  await page.getByRole('textbox', { name: 'Purpose' }).fill(purpose);
  await page
    .getByLabel(/^Component/)
    .first()
    .click();
  await page.getByRole('option', { name: 'LLM fine-tuning' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
}

/** Answers the last step of the form: what runs. */
export async function sayWhatRuns(
  page: Page,
  { image, command }: { image: string; command: string[] },
): Promise<void> {
  await page.getByRole('textbox', { name: 'Image' }).fill(image);
  for (const [index, word] of command.entries()) {
    await page.getByRole('button', { name: 'Add Item' }).first().click();
    await page.getByRole('textbox', { name: 'Word' }).nth(index).fill(word);
  }
}

/** Sends the form and waits for its pull request; the address of that. */
export async function send(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  return pullRequestOf(page);
}

/** The address of the pull request that a task's page links to. */
export async function pullRequestOf(page: Page): Promise<string> {
  const link = page.getByRole('link', { name: 'Pull request' });
  return (await link.getAttribute('href'))!;
}

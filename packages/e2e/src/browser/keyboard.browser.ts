import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser, Locator, Page } from 'playwright-core';
import { pullRequestOf } from './batchJobForm';
import { go, launch, picture, Visit, visit, visitForge } from './browser';

/** Presses Tab until an input has the focus. Fails when it is not reached. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if (await wanted.evaluate(element => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`${wanted} is not reached with the Tab key`);
}

/** The form with no mouse at all, and a request that the platform team refuses. */
export function keyboard() {
  describe('the form by keyboard alone', () => {
    let browser: Browser;
    let mira: Visit;
    let pullRequestUrl: string;

    before(async () => {
      browser = await launch();
      mira = await visit(browser, 'Mira Okafor');
    });
    after(() => browser?.close());

    it('says what it is for', async () => {
      const { page } = mira;
      await go(page, '/create/templates/default/gpu-batch-job');
      await tabTo(page, page.getByRole('textbox', { name: 'Short name' }));
      await page.keyboard.type('by-keyboard');
      await tabTo(page, page.getByRole('textbox', { name: 'Purpose' }));
      await page.keyboard.type('Evaluate without a mouse');
      await tabTo(page, page.getByLabel(/^Component/).first());
      await page.keyboard.type('LLM fine');
      await page.getByRole('option', { name: 'LLM fine-tuning' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('button', { name: 'Next' }));
      await page.keyboard.press('Enter');
    });

    it('chooses GPUs', async () => {
      const { page } = mira;
      await tabTo(page, page.getByRole('button', { name: /^Cluster/ }));
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: /^spoke-b/ }).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Cluster spoke-b/ }).waitFor();

      // of what spoke-b offers: H100 is not among it
      const classes = page.getByRole('radiogroup', {
        name: 'A device class',
      });
      await classes.getByRole('radio', { name: /L40S/ }).waitFor();
      await classes
        .getByRole('radio', { name: /H100/ })
        .waitFor({ state: 'detached' });
      await tabTo(page, classes.getByRole('radio').first());
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const fit = page.getByRole('status', { name: 'Will it fit?' });
      await fit.getByText(/Starts now|Allowed, waits/).waitFor();

      await tabTo(page, page.getByRole('spinbutton', { name: 'Count' }));
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('500');
      await fit.getByText('Cannot run').waitFor();
      await picture(page, 'form-never');
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('1');
      await fit.getByText(/Starts now|Allowed, waits/).waitFor();
      await tabTo(page, page.getByRole('button', { name: /^Priority/ }));
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: /^low/ }).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('spinbutton', { name: 'Hours' }));
      await page.keyboard.type('1');
      await tabTo(page, page.getByRole('button', { name: 'Next' }));
      await page.keyboard.press('Enter');
    });

    it('says what runs, reviews and sends it', async () => {
      const { page } = mira;
      await tabTo(page, page.getByRole('textbox', { name: 'Image' }));
      await page.keyboard.type('quay.io/example/eval:2');
      await tabTo(page, page.getByRole('button', { name: 'Add Item' }).first());
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('textbox', { name: 'Word' }).first());
      await page.keyboard.type('evaluate');
      await tabTo(page, page.getByRole('button', { name: 'Review' }));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('button', { name: 'Create' }));
      await page.keyboard.press('Enter');
      pullRequestUrl = await pullRequestOf(page);
      assert.deepEqual(mira.complaints, []);
    });

    it('is shown as rejected when the platform engineer closes it', async () => {
      const { page } = mira;
      await page.getByText('Follow the request').click();
      await page.getByText('In review', { exact: true }).waitFor();

      const pavel = await visitForge(
        browser,
        'Pavel',
        new URL(pullRequestUrl).pathname,
      );
      await pavel.page.getByRole('button', { name: 'Close' }).click();
      await pavel.page.getByText('Closed', { exact: true }).first().waitFor();
      await pavel.close();

      await page.getByText('Rejected', { exact: true }).waitFor();
      await page
        .getByText('Its pull request was closed without being merged.')
        .waitFor();
      await page.getByText('will not happen').first().waitFor();
      await picture(page, 'request-rejected');
      assert.deepEqual(mira.complaints, []);
    });
  });
}

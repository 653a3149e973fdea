import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser } from 'playwright-core';
import { sayPurpose, sayWhatRuns, send } from './batchJobForm';
import {
  addresses,
  fitsItsWidth,
  go,
  launch,
  picture,
  Visit,
  visit,
  visitForge,
} from './browser';

const PURPOSE = 'Fine-tune the assistant on last week’s conversations';
const STEPS = [
  'Requested',
  'Authorised',
  'Delivered',
  'Placed',
  'Partitioned',
  'Running',
  'Observed',
  'Metered',
  'Released',
];

/**
 * The main job as two people do it with a browser: Mira fills in the form,
 * Pavel reviews and merges on the forge's page, and Mira's page tells the
 * story as it happens.
 */
export function mainJob() {
  describe('from a form to a running GPU', () => {
    let browser: Browser;
    let mira: Visit;
    let requestUrl: string;
    let pullRequestUrl: string;

    before(async () => {
      browser = await launch();
      mira = await visit(browser, 'Mira Okafor');
    });
    after(() => browser?.close());

    /** Steps of the request's page that have a time, in its order. */
    const done = () =>
      mira.page
        .getByRole('region', { name: 'What happened' })
        .getByRole('listitem')
        .filter({ has: mira.page.locator('time') })
        .getByRole('heading')
        .allInnerTexts();

    it('the form shows what is free and whether it will run now', async () => {
      const { page } = mira;
      await page.getByRole('button', { name: 'Request GPUs' }).first().click();
      await sayPurpose(page, { name: 'fine-tune', purpose: PURPOSE });

      await page.getByRole('button', { name: /^Cluster/ }).click();
      await page
        .getByRole('option', { name: /^spoke-a · current as of/ })
        .click();
      await page.getByRole('radio', { name: /NVIDIA H100 80 GB/ }).check();
      await page
        .getByText(/\d+ free of 128 on spoke-a \(\d+ for your queue\)/)
        .waitFor();
      await page.getByRole('spinbutton', { name: 'Minutes' }).fill('10');
      const fit = page.getByRole('status', { name: 'Will it fit?' });
      await fit.getByText('Starts now').waitFor();
      await fit.getByText(/would start now/).waitFor();
      await fitsItsWidth(page, 'the form');
      await picture(page, 'form-gpus');
      await page.getByRole('button', { name: 'Next' }).click();
    });

    it('the form becomes a pull request', async () => {
      const { page } = mira;
      await sayWhatRuns(page, {
        image: 'quay.io/example/train:1.4',
        command: ['sh', '-c', 'echo training; sleep 20'],
      });
      pullRequestUrl = await send(page);
      await page.getByText('Follow the request').click();
      await page.getByText('In review', { exact: true }).waitFor();
      requestUrl = page.url();
      assert.match(requestUrl, /\/gpu\/requests\/[0-9a-f-]+$/);
      assert.deepEqual(await done(), ['Requested']);
      await picture(page, 'request-in-review');
    });

    it('the platform engineer reads it, approves and merges', async () => {
      const { page, close } = await visitForge(
        browser,
        'Pavel',
        new URL(pullRequestUrl).pathname,
      );
      for (const words of [
        'Quota',
        'Will it run now?',
        'Checks passed',
        'kueue.x-k8s.io/queue-name: gpu',
        'nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3',
        PURPOSE,
      ]) {
        await page.getByText(words).first().waitFor();
      }
      await picture(page, 'pull-request');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page
        .getByText(/approved/i)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Merge' }).click();
      await page.getByText('Merged', { exact: true }).first().waitFor();
      await close();
    });

    it('the page follows it live through all eight steps', async () => {
      const { page } = mira;
      await page.getByText('It is running on spoke-a.').waitFor();
      await page.getByText('first metric sample').waitFor();
      await page.getByText(/^interval of Workload/).waitFor();
      assert.deepEqual(await done(), STEPS.slice(0, -1));
      await fitsItsWidth(page, 'a running request');
      await picture(page, 'request', process.env.GPUAAS_README_IMAGE);
      await page.getByText('It ended well and gave its GPUs back.').waitFor();
      assert.deepEqual(await done(), STEPS);
      // it was never loaded anew: the story came to the page
      assert.equal(page.url(), requestUrl);
      await picture(page, 'request-succeeded');
    });

    it('the GPU tab of the component tells of it', async () => {
      const { page } = mira;
      await go(page, '/catalog/default/component/llm-finetune');
      await page
        .getByRole('navigation', { name: 'Content navigation' })
        .getByRole('link', { name: 'GPU', exact: true })
        .click();
      const now = page.getByRole('region', { name: 'Now' });
      await now.getByText(/GPU-(seconds|minutes)/).waitFor();
      await page.getByRole('link', { name: PURPOSE }).first().click();
      await page.waitForURL(requestUrl);
      assert.deepEqual(mira.complaints, []);
      assert.ok(requestUrl.startsWith(addresses.portal));
    });
  });
}

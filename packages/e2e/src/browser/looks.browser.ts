import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser } from 'playwright-core';
import { fitsItsWidth, go, launch, picture, visit } from './browser';

/** Each page, and what is on it when it is complete. */
const PAGES: Array<[name: string, path: string, ready: string]> = [
  ['overview', '/gpu', 'Free GPUs'],
  ['requests', '/gpu/requests?scope=all', 'Requests'],
  ['catalogue', '/gpu/catalogue', 'Device classes'],
  ['queues', '/gpu/queues', 'My teams'],
  ['fleet', '/gpu/fleet', 'Clusters'],
  ['tab', '/catalog/default/component/llm-finetune/gpu', 'Latest requests'],
];

/** Every page light and dark, at the width of a laptop and of a tablet. */
export function looks() {
  describe('how pages look', () => {
    let browser: Browser;

    before(async () => {
      browser = await launch();
    });
    after(() => browser?.close());

    const looksIn = async (colorScheme: 'light' | 'dark') => {
      const { page, complaints, close } = await visit(browser, 'Mira Okafor', {
        colorScheme,
      });
      const look = async (name: string) => {
        for (const width of [1280, 768]) {
          await page.setViewportSize({ width, height: 900 });
          await fitsItsWidth(page, `${name} at ${width}`);
          await picture(page, `${name}-${colorScheme}-${width}`);
        }
        await page.setViewportSize({ width: 1280, height: 900 });
      };
      for (const [name, path, ready] of PAGES) {
        await go(page, path);
        await page
          .getByRole('region', { name: ready })
          .getByRole('table')
          .first()
          .waitFor();
        await look(name);
      }
      await go(page, '/gpu/requests?scope=all');
      const table = page.getByRole('table', { name: 'Requests' });
      await table.getByRole('link').first().click();
      await page.getByRole('region', { name: 'What happened' }).waitFor();
      await look('one-request');
      assert.deepEqual(complaints, []);
      await close();
    };

    it('light, 1280 and 768 wide: nothing sticks out', () => looksIn('light'));
    it('dark, 1280 and 768 wide: nothing sticks out', () => looksIn('dark'));
  });
}

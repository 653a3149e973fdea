import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser } from 'playwright-core';
import { Journey } from '../faults/journey';
import { fitsItsWidth, go, launch, picture, Visit, visit } from './browser';

/** A Job that asks for more than is free, but not for more than it could ever hold. */
export function waiting() {
  describe('a request that waits', () => {
    let browser: Browser;
    let mira: Visit;
    let journey: Journey;
    let id: string;

    before(async () => {
      journey = await Journey.start();
      const { items } = await journey.mira.gpu.getDeviceClasses({
        cluster: 'spoke-a',
        namespace: 'team-07',
        queue: 'gpu',
      });
      const offer = items.find(
        ({ deviceClass }) => deviceClass.id === journey.deviceClass,
      )!;
      const pods = Math.floor(offer.potentialForQueue! / 8);
      assert.ok(pods * 8 > offer.freeForQueue!, JSON.stringify(offer));
      id = await journey.merged({
        name: 'too-many-now',
        purpose: 'Pre-train on every GPU there is',
        count: 8,
        pods,
      });
      browser = await launch();
      mira = await visit(browser, 'Mira Okafor');
    });
    after(() => browser?.close());

    it('says why in plain words, with Kueue’s own beside them', async () => {
      const { page } = mira;
      await go(page, `/gpu/requests/${id}`);
      await page.getByText('Queued', { exact: true }).waitFor();
      const notice = page
        .getByRole('status')
        .filter({ hasText: 'Why it waits' });
      await notice.getByText('Kueue says').waitFor();
      const { waiting: why } = await journey.mira.gpu.getRequest(id);
      assert.equal(why?.cause, 'quota-in-use');
      const text = await notice.innerText();
      assert.ok(text.includes(why!.sentence), text);
      assert.match(
        await notice.getByRole('blockquote').innerText(),
        /^couldn't assign flavors to pod set main: .*insufficient unused quota for nvidia\.com\/gpu in flavor h100, \d+ more needed/,
      );
      await fitsItsWidth(page, 'a waiting request');
      await picture(page, 'request-waiting');
    });

    it('says so on the component and on the overview too', async () => {
      const { page } = mira;
      await go(page, '/catalog/default/component/llm-finetune/gpu');
      await page
        .getByRole('region', { name: 'What waits, and why' })
        .getByRole('listitem')
        .filter({ has: page.locator(`a[href$="${id}"]`) })
        .getByText('Kueue says')
        .waitFor();
      await picture(page, 'entity-tab');
      await go(page, '/gpu');
      await page
        .getByRole('region', { name: 'My requests' })
        .locator(`a[href$="${id}"]`)
        .waitFor();
      assert.deepEqual(mira.complaints, []);
    });
  });
}

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Browser } from 'playwright-core';
import { breakPart, healPart } from '../faults/switches';
import { addresses, go, launch, picture, Visit, visit } from './browser';

const REQUESTS = '**/api/gpu/v1/requests?*';
const FAILURE = {
  status: 500,
  contentType: 'application/json',
  body: JSON.stringify({
    error: { name: 'Error', message: 'The database is away' },
    response: { statusCode: 500 },
  }),
};

/** What a page shows before, without and after its data. */
export function states() {
  describe('states of a page', () => {
    let browser: Browser;
    let pavel: Visit;

    before(async () => {
      browser = await launch();
      pavel = await visit(browser, 'Pavel');
    });
    afterEach(() => pavel.page.unrouteAll({ behavior: 'ignoreErrors' }));
    after(() => browser?.close());

    const table = () =>
      pavel.page.getByRole('table', { name: 'Requests', exact: true });

    it('says that it loads', async () => {
      const { page } = pavel;
      let answer: () => Promise<void>;
      await page.route(
        REQUESTS,
        route => {
          answer = () => route.continue();
        },
        { times: 1 },
      );
      await go(page, '/gpu/requests?scope=all');
      await page.getByRole('status').getByText('Loading').waitFor();
      await picture(page, 'state-loading');
      await answer!();
      await table().waitFor();
    });

    it('says that there is nothing, and what to do', async () => {
      const { page } = pavel;
      await page.route(REQUESTS, route =>
        route.fulfill({ json: { items: [], totalItems: 0 } }),
      );
      await go(page, '/gpu/requests?scope=mine');
      await page.getByText('Ask for GPUs with a short form.').waitFor();
      await picture(page, 'state-empty');
    });

    it('says that it fails and why, and recovers when asked to', async () => {
      const { page } = pavel;
      await page.route(REQUESTS, route => route.fulfill(FAILURE));
      await go(page, '/gpu/requests?scope=all');
      const alert = page.getByRole('alert');
      await alert.getByText('The GPU service does not answer').waitFor();
      await alert.getByText(/The database is away/).waitFor();
      await picture(page, 'state-failing');
      await page.unroute(REQUESTS);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await table().waitFor();
    });

    it('keeps the last good answer and says how old it is', async () => {
      const { page } = pavel;
      await go(page, '/gpu/requests?scope=all');
      await table().waitFor();
      await page.route(REQUESTS, route => route.fulfill(FAILURE));
      const notice = page.getByText(/The GPU service does not answer since/);
      await notice.waitFor();
      await table().waitFor();
      await picture(page, 'state-stale');
      await page.unroute(REQUESTS);
      await notice.waitFor({ state: 'detached' });
    });

    it('says which cluster cannot be read, and when it can be again', async () => {
      const { page } = pavel;
      await go(page, '/gpu/fleet');
      const row = page.getByRole('row').filter({ hasText: 'spoke-b' });
      await row.getByText('Connected').waitFor();
      await breakPart(addresses, 'spoke-b', { refuse: true });
      try {
        await row.getByText('Cannot be read').waitFor();
        await picture(page, 'state-cluster-away');
        await go(page, '/gpu');
        await page.getByText(/^Cannot read spoke-b since/).waitFor();
        await page.getByText(/Its numbers are the last good ones/).waitFor();
      } finally {
        await healPart(addresses, 'spoke-b');
      }
      await page
        .getByText(/^Cannot read spoke-b since/)
        .waitFor({ state: 'detached' });
    });

    it('its console does not complain', () => {
      assert.deepEqual(pavel.complaints, []);
    });
  });
}

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser, Page } from 'playwright-core';
import { batchJobValues, BATCH_JOB_TEMPLATE } from '../demo/batchJob';
import { offerFor } from '../portal/offers';
import { PortalClient } from '../portal/portalClient';
import { addresses, go, launch, picture, Visit, visit } from './browser';

/** What each of the four sees, which the policy of packages/backend decides. */
export function people() {
  describe('what each person sees', () => {
    let browser: Browser;
    let mira: Visit;
    let pavel: Visit;
    let fiona: Visit;
    /** A request of a team that is not Mira's. */
    let foreign: string;
    let own: string;

    before(async () => {
      const [asMira, asPavel] = await Promise.all(
        ['mira', 'pavel'].map(name =>
          PortalClient.signIn(addresses.portal, name),
        ),
      );
      const { deviceClass } = await offerFor(asMira, 'spoke-a', 'team-07');
      const ask = async (
        person: PortalClient,
        purpose: string,
        more: Record<string, unknown> = {},
      ) => {
        const id = await person.startTemplate(BATCH_JOB_TEMPLATE, {
          ...batchJobValues({ deviceClass: deviceClass.id }),
          purpose,
          ...more,
        });
        const task = await person.followTask(id);
        assert.equal(task.status, 'completed', task.error);
        return id;
      };
      own = await ask(asMira, 'Ours');
      foreign = await ask(asPavel, 'Theirs', {
        entity: 'component:default/fraud-scoring',
        queue: { namespace: 'team-01', queue: 'gpu' },
        priority: undefined,
      });
      browser = await launch();
      mira = await visit(browser, 'Mira Okafor');
      pavel = await visit(browser, 'Pavel');
      fiona = await visit(browser, 'Fiona Lindqvist');
    });
    after(() => browser?.close());

    const requestNames = async (page: Page) => {
      await go(page, '/gpu/requests?scope=all');
      const table = page.getByRole('table', { name: 'Requests' });
      await table.getByRole('link', { name: 'Ours' }).first().waitFor();
      return table.getByRole('link').allInnerTexts();
    };

    it('Mira sees the requests of her team alone', async () => {
      const { page } = mira;
      const names = await requestNames(page);
      assert.ok(!names.includes('Theirs'), names.join());
      await go(page, `/gpu/requests/${foreign}`);
      await page.getByText('There is no such thing here').waitFor();
      await go(page, `/gpu/requests/${own}`);
      await page.getByRole('heading', { name: 'Ours' }).waitFor();
    });

    it('Pavel and Fiona see the requests of every team', async () => {
      for (const { page } of [pavel, fiona]) {
        assert.ok((await requestNames(page)).includes('Theirs'));
      }
      await go(fiona.page, `/gpu/requests/${foreign}`);
      await fiona.page.getByRole('heading', { name: 'Theirs' }).waitFor();
    });

    it('Mira sees the queues and Workloads of her team alone', async () => {
      const { page } = mira;
      await go(page, '/gpu/queues');
      const mine = page.getByRole('region', { name: 'My teams' });
      await mine
        .getByRole('button', { name: /team-07\/gpu · spoke-a/ })
        .click();
      await mine.getByRole('table', { name: 'Quota lines' }).waitFor();
      await picture(page, 'queues-own');
      const text = await page.getByRole('article').innerText();
      assert.deepEqual(
        [...new Set(text.match(/team-\d\d\/gpu/g))],
        ['team-07/gpu'],
      );
    });

    it('Pavel sees every queue, finds one, and opens it to its Workloads', async () => {
      const { page } = pavel;
      await go(page, '/gpu/queues');
      await page.getByText('1–20 of 80').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('21–40 of 80').waitFor();
      await page.getByRole('searchbox').fill('department-5 spoke-b');
      await page.getByText('1–8 of 8').waitFor();
      await page
        .getByRole('button', { name: /team-40\/gpu · spoke-b/ })
        .click();
      const jobs = page.getByRole('table', { name: 'Who holds it, who waits' });
      await jobs.getByText('admitted').first().waitFor();
      await picture(page, 'queues-opened');
    });

    it('Pavel first sees what waits for his review, Mira what is hers', async () => {
      for (const [{ page }, first] of [
        [pavel, 'Waiting for review'],
        [mira, 'My requests'],
      ] as const) {
        await go(page, '/gpu');
        await page.getByRole('region', { name: first }).waitFor();
        const [heading] = await page
          .getByRole('article')
          .getByRole('heading', { level: 2 })
          .allInnerTexts();
        assert.equal(heading, first);
      }
      await pavel.page
        .getByRole('region', { name: 'Waiting for review' })
        .locator(`a[href$="${foreign}"]`)
        .waitFor();
    });

    it('Fiona reads every queue, owns none, and is told so when she asks', async () => {
      const { page } = fiona;
      await go(page, '/gpu/queues');
      await page.getByText('1–20 of 80').waitFor();
      const asFiona = await PortalClient.signIn(addresses.portal, 'fiona');
      const id = await asFiona.startTemplate(BATCH_JOB_TEMPLATE, {
        ...batchJobValues({ deviceClass: 'nvidia-h100-80gb-hbm3' }),
      });
      const task = await asFiona.followTask(id);
      assert.equal(task.status, 'failed');
      await go(page, `/create/tasks/${id}`);
      await page
        .getByText(/team-07/)
        .first()
        .waitFor();
      await picture(page, 'task-refused');
    });

    it('nobody’s console complains', () => {
      for (const { complaints } of [mira, pavel, fiona]) {
        assert.deepEqual(complaints, []);
      }
    });
  });
}

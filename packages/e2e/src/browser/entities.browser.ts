import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser } from 'playwright-core';
import { go, launch, picture, Visit, visit } from './browser';

/** What stands in the catalog: the tab, the card, and the entities of the fleet. */
export function entities() {
  describe('GPUs in the catalog', () => {
    let browser: Browser;
    let mira: Visit;

    before(async () => {
      browser = await launch();
      mira = await visit(browser, 'Mira Okafor');
    });
    after(() => browser?.close());

    const tab = (name: string) =>
      mira.page
        .getByRole('navigation', { name: 'Content navigation' })
        .getByRole('link', { name, exact: true });

    it('a component that names its namespace has a GPU tab', async () => {
      const { page } = mira;
      await go(page, '/catalog/default/component/llm-eval');
      await tab('GPU').click();
      await page
        .getByText('This component has not asked for GPUs yet')
        .waitFor();
      await picture(page, 'entity-tab-empty');
    });

    it('a component that names none has no such tab', async () => {
      const { page } = mira;
      await page.route('**/api/catalog/entities/by-*/**', async route => {
        const answer = await route.fetch();
        await route.fulfill({
          response: answer,
          body: (
            await answer.text()
          ).replaceAll('gpuaas.io/namespace', 'example.com/namespace'),
        });
      });
      await go(page, '/catalog/default/component/llm-eval');
      await tab('Overview').waitFor();
      assert.equal(await tab('GPU').count(), 0);
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('a team’s page has a card with its quota', async () => {
      const { page } = mira;
      await go(page, '/catalog/default/group/team-07');
      const card = page.getByRole('region', { name: 'GPU quota' });
      await card.getByText('NVIDIA H100 80 GB').waitFor();
      await card.getByText(/\d+ of 3$/).waitFor();
      await card.getByText(/it can borrow now: \d+ × /).waitFor();
      await card
        .getByRole('button', { name: 'Show what NVIDIA H100 80 GB is made of' })
        .click();
      await card.getByText('h100 · spoke-a').waitFor();
      await picture(page, 'group-card');
    });

    const isEntity = async (
      name: string,
      title: string,
      type: string,
      owner: string,
    ) => {
      const { page } = mira;
      await go(page, `/catalog/default/resource/${name}`);
      await page.getByRole('heading', { name: title }).first().waitFor();
      await page.getByText(type).first().waitFor();
      await page.getByRole('link', { name: owner }).first().waitFor();
      await tab('Overview').waitFor();
      assert.equal(await tab('GPU').count(), 0);
      await picture(page, `entity-${type}`);
    };

    it('a cluster is an entity of the platform team', () =>
      isEntity('spoke-a', 'Spoke A', 'gpu-cluster', 'Platform'));

    it('a device class is an entity of the platform team', () =>
      isEntity(
        'spoke-a.nvidia-h100-80gb-hbm3',
        'NVIDIA H100 80 GB on Spoke A',
        'gpu-device-class',
        'Platform',
      ));

    it('a queue is an entity of the team that owns it', () =>
      isEntity(
        'spoke-a.team-07.gpu',
        'team-07/gpu on Spoke A',
        'gpu-queue',
        'Team 07',
      ));

    it('its console does not complain', () => {
      assert.deepEqual(mira.complaints, []);
    });
  });
}

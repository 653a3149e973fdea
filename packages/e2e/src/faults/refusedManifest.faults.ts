import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BATCH_JOB_TEMPLATE, batchJobValues } from '../demo/batchJob';
import { Journey } from './journey';

/** What was merged is not what the cluster takes, or not what was asked for. */
export const refusedManifestFaults = () =>
  describe('a merged manifest', () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });

    it('that the cluster refuses is shown with the refusal, and holds up nobody else', async () => {
      const { forge, mira, pavel } = journey;
      const refused = await journey.askForPullRequest({ name: 'refused' });
      const { head } = await forge.pullRequest(refused.pullRequest!.number);
      await forge.edit(refused.file.path, head.ref, text =>
        text.replace('restartPolicy: Never', 'restartPolicy: Sometimes'),
      );
      await journey.merge(refused);
      const shown = await journey.request(
        refused.id,
        'is refused',
        ({ state }) => state === 'refused',
      );
      assert.equal(shown.delivery.via?.kind, 'Application');
      assert.match(shown.delivery.message ?? '', /restartPolicy.*Sometimes/);
      assert.equal(shown.workload, undefined);

      // Another team of the same cluster gets its Job.
      const id = await pavel.startTemplate(BATCH_JOB_TEMPLATE, {
        ...batchJobValues({ deviceClass: journey.deviceClass, seconds: 8 }),
        name: 'neighbour',
        queue: { namespace: 'team-08', queue: 'gpu' },
      });
      assert.equal((await journey.ended(id, pavel)).status, 'completed');
      await journey.merge(await journey.withPullRequest(id, pavel));
      await journey.request(
        id,
        'is delivered',
        ({ delivery }) => delivery.state === 'delivered',
        pavel,
      );
      assert.equal((await mira.gpu.getRequest(refused.id)).state, 'refused');

      // Put right by another pull request, it runs after all.
      const number = await journey.forgeAsMira.proposeEdit(
        refused.file.path,
        `mend/${refused.name}`,
        text =>
          text.replace('restartPolicy: Sometimes', 'restartPolicy: Never'),
      );
      await forge.merge(number);
      const mended = await journey.completed(refused.id);
      assert.equal(mended.state, 'succeeded');
      assert.equal(mended.delivery.state, 'delivered');
      assert.equal(mended.delivery.message, undefined);
    });

    it('that differs from the registered one runs, and is attributed to no component and no person', async () => {
      const { forge, mira } = journey;
      const asked = await journey.askForPullRequest({ name: 'altered' });
      const { head } = await forge.pullRequest(asked.pullRequest!.number);
      await forge.edit(asked.file.path, head.ref, text =>
        text.replace('image: quay.io/', 'image: registry.example.com/'),
      );
      await journey.merge(asked);
      const { workload } = await journey.completed(asked.id);
      const { items } = await mira.gpu.getIntervals({
        cluster: asked.cluster,
        workload: workload!.uid,
      });
      assert.equal(items.length, 1);
      assert.equal(items[0].team, 'group:default/team-07');
      assert.equal(items[0].entity, undefined);
      assert.equal(items[0].requester, undefined);
    });
  });

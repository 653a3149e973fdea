import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { until } from '../portal/until';
import { Journey, PATIENCE } from './journey';
import { breakPart, healPart } from './switches';

interface Case {
  title: string;
  fault: Record<string, unknown>;
  /** What the task fails with; absent: it succeeds all the same. */
  sentence?: RegExp;
}

/** On the forge's API only: GitOps goes on reading the repository by git. */
const API = '^/api/v1/';

const CASES: Case[] = [
  {
    title: 'is down',
    fault: { drop: true, path: API },
    sentence: /cannot be reached or has failed; run this again when it is back/,
  },
  {
    title: 'does not know the token (401)',
    fault: { status: 401, path: API },
    sentence: /does not accept the token; check .*\(401\)/,
  },
  {
    title: 'does not allow it (403)',
    fault: { status: 403, path: API },
    sentence: /give its account write access.*\(403\)/,
  },
  {
    title: 'does not show the repository (404)',
    fault: { status: 404, path: API },
    sentence: /Branch main of .* does not exist, or the token may not see/,
  },
  {
    title: 'reports a conflict on the commit (409)',
    fault: { status: 409, method: 'POST', path: '/contents$' },
    sentence: /reports a conflict.*\(409\)/,
  },
  {
    title: 'reports a conflict on the pull request (409)',
    fault: { status: 409, method: 'POST', path: '/pulls$' },
    sentence: /reports a conflict.*\(409\)/,
  },
  {
    title: 'does not take the change (422)',
    fault: {
      status: 422,
      message: 'a hook declined',
      method: 'POST',
      path: '/contents$',
    },
    sentence: /does not accept the change \(422\)\. It said: a hook declined/,
  },
  {
    title: 'fails (500)',
    fault: { status: 500, path: API },
    sentence: /has failed; run this again when it is back \(500\)/,
  },
  {
    title: 'asks to wait longer than a task does (429)',
    fault: { status: 429, retryAfter: 30, path: API },
    sentence: /asks to wait longer than this step does/,
  },
  {
    title: 'asks to wait for a second (429)',
    fault: { status: 429, retryAfter: 1, times: 2, path: API },
  },
  {
    title: 'is slow',
    fault: { delay: 1500, path: API },
  },
  {
    title: 'gives no answer in time',
    fault: { delay: 30_000, method: 'POST', path: '/contents$' },
    sentence: /gave no answer within 10 s/,
  },
  {
    title: 'commits, and the answer is lost',
    fault: { crashAfter: true, times: 1, method: 'POST', path: '/contents$' },
  },
  {
    title: 'opens the pull request, and the answer is lost',
    fault: { crashAfter: true, times: 1, method: 'POST', path: '/pulls$' },
    sentence: /run this again when it is back/,
  },
];

export const forgeFaults = () =>
  describe('a forge that', () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });
    afterEach(() => healPart(journey.addresses, 'forge'));

    CASES.forEach(({ title, fault, sentence }) => {
      it(`${title}: ${
        sentence ? 'a clear sentence, then ' : ''
      }one pull request`, async () => {
        await breakPart(journey.addresses, 'forge', fault);
        const id = await journey.ask({ name: 'forge-fault' });
        const task = await journey.ended(id);
        await healPart(journey.addresses, 'forge');
        if (sentence) {
          assert.equal(task.status, 'failed');
          assert.match(task.error ?? '', sentence);
          assert.doesNotMatch(
            [task.error, ...task.log].join('\n'),
            /sandbox-developer-hub/,
          );
          await journey.mira.retryTask(id);
          const again = await journey.ended(id);
          assert.equal(again.status, 'completed', again.error);
        } else {
          assert.equal(task.status, 'completed', task.error);
        }
        await journey.isOneChange(await journey.withPullRequest(id));
      });
    });

    it('is away while a request is in review: shown since when, and followed again afterwards', async () => {
      const asked = await journey.askForPullRequest({ name: 'forge-away' });
      await breakPart(journey.addresses, 'forge', { drop: true, path: API });
      const stale = await journey.request(
        asked.id,
        'is stale',
        ({ fresh }) => !fresh,
      );
      assert.match(
        stale.staleReason ?? '',
        /The forge cannot be asked since \d{4}-.*cannot be reached/,
      );
      assert.equal(stale.state, 'in-review');
      await healPart(journey.addresses, 'forge');
      await journey.merge(asked);
      await journey.wentOnce(asked.id);
      await until(
        'The request is fresh again',
        async () => (await journey.mira.gpu.getRequest(asked.id)).fresh,
        PATIENCE,
      );
    });
  });

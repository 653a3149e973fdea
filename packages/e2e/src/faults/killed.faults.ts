import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { control } from '../portal/portalControl';
import { Journey } from './journey';
import { mergeAll } from './mergeAll';
import { randomFrom, seedFromEnvironment } from './seededRandom';

/** How often the backend is killed; more finds more (GPUAAS_KILLS). */
const KILLS = Number(process.env.GPUAAS_KILLS ?? 4);
/** Within so many milliseconds after a request was sent the whole Scaffolder task runs. */
const TASK_MS = 2_500;
/** Within so many it is merged, admitted and runs. */
const LIFE_MS = 12_000;
/** Within so many after its start the backend is still coming up. */
const START_MS = 10_000;

export const killedFaults = () =>
  describe('a backend that is killed while requests go through', () => {
    let journey: Journey;
    const seed = seedFromEnvironment();

    before(async () => {
      journey = await Journey.start();
    });

    it(`loses nothing and does nothing twice (${KILLS} kills, GPUAAS_SEED=${seed})`, async () => {
      const random = randomFrom(seed);
      const reviewing = new AbortController();
      const reviewed = mergeAll(journey.forge, reviewing.signal);
      try {
        for (let kill = 0; kill < KILLS; kill += 1) {
          await journey.portalAnswers();
          await Promise.all([askAnyway(), askAnyway()]);
          // Half of the kills hit the Scaffolder's task, the others what comes after it.
          await delay(random() * (kill % 2 === 0 ? TASK_MS : LIFE_MS));
          await control('kill backend');
          await control('start backend');
          if (kill % 4 === 3) {
            await delay(random() * START_MS);
            await control('kill backend');
            await control('start backend');
          }
        }
        await journey.portalAnswers();
        const ids = await journey.tasksOf('killed');
        assert.ok(ids.length > 0, 'no request got through');
        for (const id of ids) await journey.bringToEnd(id);
        for (const id of ids) await journey.wentOnce(id);
      } finally {
        reviewing.abort();
        await reviewed;
      }
    });

    it('knows of every Workload what the clusters know', async () => {
      await journey.sameWorkloads('spoke-a');
      await journey.sameWorkloads('spoke-b');
    });

    /** The answer may be lost with the backend; the task may exist all the same. */
    async function askAnyway() {
      await journey.ask({ name: 'killed' }).catch(() => undefined);
    }
  });

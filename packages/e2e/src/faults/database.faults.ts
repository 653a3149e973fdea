import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { control } from '../portal/portalControl';
import { until } from '../portal/until';
import { Journey, PATIENCE } from './journey';
import { mergeAll } from './mergeAll';

const RESTARTS = 3;
const REQUESTS_EACH = 2;

export const databaseFaults = () =>
  describe('a database that crashes and comes back while requests go through', () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });

    it('loses nothing, the API recovers, nothing is done twice', async () => {
      const reading = new AbortController();
      const reads = { answered: 0 };
      const readers = Promise.all(
        [1, 2, 3, 4].map(() => readAlong(reads, reading.signal)),
      );
      const reviewed = mergeAll(journey.forge, reading.signal);
      try {
        for (let restart = 0; restart < RESTARTS; restart += 1) {
          const asked = askAnyway();
          // The first restart meets tasks that begin, the others what the earlier ones became.
          if (restart > 0) await asked;
          await control('restart database');
          await asked;
          const answered = reads.answered;
          await until(
            'The API answers again',
            async () => reads.answered > answered + 20,
            PATIENCE,
          );
        }
        // Scaffolder 1.55 goes on proving a task alive whose end it could not store:
        // only another process takes that one up (README of the Scaffolder module).
        await control('kill backend');
        await control('start backend');
        await journey.portalAnswers();
        const ids = await journey.tasksOf('restarted');
        assert.ok(ids.length >= REQUESTS_EACH, 'requests got through');
        for (const id of ids) await journey.bringToEnd(id);
        for (const id of ids) await journey.wentOnce(id);
      } finally {
        reading.abort();
        await reviewed;
        await readers;
      }
      await journey.sameWorkloads('spoke-a');
      await journey.sameWorkloads('spoke-b');
    });

    /** The answer may be lost with the database; the task may exist all the same. */
    async function askAnyway(): Promise<void> {
      await Promise.all(
        Array.from({ length: REQUESTS_EACH }, () =>
          journey.ask({ name: 'restarted' }).catch(() => undefined),
        ),
      );
    }

    /** One reader after the other: the load the database goes away under. */
    async function readAlong(reads: { answered: number }, signal: AbortSignal) {
      const { gpu } = journey.mira;
      while (!signal.aborted) {
        try {
          await gpu.getRequests({ limit: 20 }, { signal });
          await gpu.getWorkloads({ cluster: 'spoke-a', limit: 50 }, { signal });
          reads.answered += 1;
        } catch {
          await delay(100);
        }
      }
    }
  });

import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import {
  GpuRequest,
  RequestStepName,
} from '@gpuaas/backstage-plugin-gpu-common';
import { Journey } from './journey';
import { breakPart } from './switches';

const SKEW = 180;

/** Clocks minutes apart are shown on the step that seems too early, and stop nothing. */
export const clockFaults = () =>
  describe('a cluster whose clock is', () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });
    afterEach(() =>
      breakPart(journey.addresses, 'spoke-a', { skewSeconds: 0 }),
    );

    it('behind: Placed seems to be before it was merged', async () => {
      await breakPart(journey.addresses, 'spoke-a', { skewSeconds: -SKEW });
      const request = await oneWithSkew();
      assertSkew(request, ['Placed']);
    });

    it('ahead: what others saw seems to be before it was placed', async () => {
      await breakPart(journey.addresses, 'spoke-a', { skewSeconds: SKEW });
      const request = await oneWithSkew();
      assertSkew(request, ['Observed', 'Metered']);
    });

    async function oneWithSkew(): Promise<GpuRequest> {
      const id = await journey.merged({ name: 'skewed' });
      const request = await journey.completed(id);
      assert.equal(request.state, 'succeeded');
      await journey.isOneChange(request);
      const { items } = await journey.mira.gpu.getIntervals({ requestId: id });
      assert.equal(items.length, 1);
      // Both ends are by the cluster's clock, so its length is right.
      assert.ok(items[0].seconds >= 8 && items[0].seconds < SKEW);
      const { items: clusters } = await journey.mira.gpu.getClusters();
      assert.equal(
        clusters.find(({ name }) => name === 'spoke-a')!.state,
        'connected',
      );
      return request;
    }

    function assertSkew({ steps }: GpuRequest, names: RequestStepName[]) {
      const skewed = steps.filter(step => step.clockSkewSeconds);
      assert.deepEqual(
        skewed.map(({ name }) => name),
        names,
      );
      for (const { name, clockSkewSeconds } of skewed) {
        assert.ok(
          clockSkewSeconds! > SKEW - 60 && clockSkewSeconds! <= SKEW,
          `${name}: ${clockSkewSeconds} s`,
        );
      }
    }
  });

import { offerFor } from '../portal/offers';
import { PortalClient } from '../portal/portalClient';
import { batchJobValues, BATCH_JOB_TEMPLATE } from '../demo/batchJob';
import { Bench, p95Figure } from './figure';

const REQUESTS = 30;

/**
 * From sending the form to the pull request being open: the whole Scaffolder
 * task, as the person at the form waits for it. One request after the other.
 */
export const submitToPullRequest: Bench = {
  figures: [{ name: 'request.submit_to_pr.p95', unit: 's' }],
  portal: true,
  async run(portal) {
    const mira = await PortalClient.signIn(portal!.addresses.portal, 'mira');
    const { deviceClass } = await offerFor(mira, 'spoke-a', 'team-07');
    const seconds: number[] = [];
    for (let i = 0; i < REQUESTS; i += 1) {
      const began = performance.now();
      const id = await mira.startTemplate(
        BATCH_JOB_TEMPLATE,
        batchJobValues({ name: `bench-${i}`, deviceClass: deviceClass.id }),
      );
      const task = await mira.followTask(id);
      if (task.status === 'failed') throw new Error(task.error);
      seconds.push((performance.now() - began) / 1000);
      const request = await mira.gpu.getRequest(id);
      if (!request.pullRequest) {
        throw new Error(`Request ${id} has no pull request`);
      }
    }
    return [p95Figure('request.submit_to_pr.p95', 's', seconds)];
  },
};

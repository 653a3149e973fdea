import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { addressesFromEnvironment } from '../portal/addresses';
import { ForgeClient } from '../portal/forgeClient';
import { offerFor } from '../portal/offers';
import { PortalClient } from '../portal/portalClient';
import { until } from '../portal/until';
import { batchJobValues, BATCH_JOB_TEMPLATE } from './batchJob';
import { faultsOf, Story, tellStory } from './story';

/**
 * The main job with no browser: ask as an ML engineer, review and merge as
 * the platform team, follow to the end. Only interfaces that a real
 * deployment has.
 */
async function main() {
  const json = process.argv.includes('--json');
  const say = (line: string) => (json ? undefined : console.log(line));
  const addresses = addressesFromEnvironment();

  const mira = await PortalClient.signIn(addresses.portal, 'mira');
  say(`mira (ML engineer) signed in at ${addresses.portal}`);

  const { deviceClass } = await offerFor(mira, 'spoke-a', 'team-07');
  const id = await mira.startTemplate(
    BATCH_JOB_TEMPLATE,
    batchJobValues({ deviceClass: deviceClass.id }),
  );
  const task = await mira.followTask(id);
  if (task.status === 'failed') {
    throw new Error(
      `The request was refused: ${task.error}\n${task.log.join('\n')}`,
    );
  }
  const asked = await until('The request has a pull request', async () => {
    const request = await mira.gpu.getRequest(id);
    return request.pullRequest && request;
  });
  const { number, url } = asked.pullRequest!;
  say(`Request ${id} is pull request #${number}: ${url}`);

  const forge = new ForgeClient(
    addresses.forge,
    'platform/gpu-fleet',
    'sandbox-pavel',
  );
  const pullRequest = await forge.pullRequest(number);
  const diff = await forge.diff(number);
  say(`\n${pullRequest.title}\n${indent(pullRequest.body)}\n${indent(diff)}`);
  await forge.approve(number, 'Within quota, pinned to its device class.');
  await forge.merge(number);
  say(`pavel (platform engineer) approved and merged it\n`);

  let shown = '';
  const ended = await until(
    'The request ends',
    async () => {
      const request = await mira.gpu.getRequest(id);
      const standing = standingOf(request);
      if (standing !== shown) say(standing);
      shown = standing;
      return request.steps.every(step => step.at) && request;
    },
    { timeoutMs: 180_000, everyMs: 250 },
  ).catch(async error => {
    const request = await mira.gpu.getRequest(id);
    report(tellStory(request), json);
    throw error;
  });

  const story = tellStory(ended);
  report(story, json);
  const faults = faultsOf(story);
  if (ended.state !== 'succeeded') faults.push(`it ended as ${ended.state}`);
  if (faults.length) throw new Error(faults.join('; '));
}

function standingOf(request: GpuRequest): string {
  const reached = request.steps.filter(step => step.at).pop();
  return [
    `  ${request.state}`,
    reached && `${reached.name} ${reached.detail ? `(${reached.detail})` : ''}`,
    request.waiting?.sentence,
  ]
    .filter(Boolean)
    .join(' · ');
}

function report(story: Story, json: boolean) {
  if (json) {
    console.log(JSON.stringify(story));
    return;
  }
  const rows = story.steps.map(({ name, at, source, actor, seconds }) => [
    name,
    at ?? '–',
    source ?? '–',
    actor ?? '–',
    seconds === undefined ? '' : `+${seconds} s`,
  ]);
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map(row => row[column].length)),
  );
  console.log('');
  for (const row of rows) {
    console.log(row.map((cell, i) => cell.padEnd(widths[i])).join('  '));
  }
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map(line => `    ${line}`)
    .join('\n');
}

main().catch(error => {
  console.error(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
});

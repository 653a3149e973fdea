import { GpuRequest, REQUEST_STEPS } from '@gpuaas/backstage-plugin-gpu-common';

/** One step as the demo tells it: seconds are since the step before. */
export interface StoryStep {
  name: string;
  at?: string;
  source?: string;
  actor?: string;
  seconds?: number;
}

/** What `npm run demo -- --json` prints. */
export interface Story {
  request: string;
  steps: StoryStep[];
}

/** The eight steps of a request with the seconds between them. */
export function tellStory(request: GpuRequest): Story {
  let before: number | undefined;
  const steps = request.steps.map(({ name, at, source, actor }) => {
    const time = at === undefined ? undefined : Date.parse(at);
    const seconds =
      time === undefined || before === undefined
        ? undefined
        : Math.round((time - before) / 1000);
    before = time ?? before;
    return { name, at, source, actor, seconds };
  });
  return { request: request.id, steps };
}

/**
 * What is wrong with a story: a step that is missing, out of place, or earlier
 * than its cause. Stamps are whole seconds, so equal ones are in order.
 */
export function faultsOf(story: Story): string[] {
  const faults: string[] = [];
  REQUEST_STEPS.forEach((name, index) => {
    const step = story.steps[index];
    if (step?.name !== name) {
      faults.push(
        `step ${index + 1} is ${step?.name ?? 'missing'}, not ${name}`,
      );
    } else if (step.at === undefined) {
      faults.push(`${name} did not happen`);
    } else if (step.seconds !== undefined && step.seconds < 0) {
      faults.push(`${name} is ${-step.seconds} s before its cause`);
    }
  });
  return faults;
}

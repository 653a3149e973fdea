import { GpuRequest, REQUEST_STEPS } from '@gpuaas/backstage-plugin-gpu-common';
import { faultsOf, tellStory } from './story';

function requestWith(times: Array<string | undefined>): GpuRequest {
  return {
    id: 'r1',
    steps: REQUEST_STEPS.map((name, index) => ({ name, at: times[index] })),
  } as GpuRequest;
}

const second = (n: number) => `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`;

describe('the story of a request', () => {
  it('says the seconds between the steps and finds no fault in equal stamps', () => {
    const story = tellStory(
      requestWith([0, 5, 7, 7, 8, 12, 12, 30].map(second)),
    );
    expect(story.steps.map(step => step.seconds)).toEqual([
      undefined,
      5,
      2,
      0,
      1,
      4,
      0,
      18,
    ]);
    expect(faultsOf(story)).toEqual([]);
  });

  it('names a step that did not happen and measures over the gap', () => {
    const story = tellStory(
      requestWith(
        [second(0), second(5), undefined, second(9)].concat(
          Array(4).fill(second(9)),
        ),
      ),
    );
    expect(faultsOf(story)).toEqual(['Placed did not happen']);
    expect(story.steps[3].seconds).toBe(4);
  });

  it('names a step that is earlier than its cause', () => {
    const story = tellStory(requestWith([0, 5, 4, 5, 6, 7, 8, 9].map(second)));
    expect(faultsOf(story)).toEqual(['Placed is 1 s before its cause']);
  });

  it('names a step that is not in the list', () => {
    const story = tellStory(requestWith([0, 1, 2, 3, 4, 5, 6, 7].map(second)));
    story.steps.pop();
    expect(faultsOf(story)).toEqual(['step 8 is missing, not Released']);
  });
});

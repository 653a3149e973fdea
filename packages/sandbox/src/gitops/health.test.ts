import { healthOf, worstHealth } from './health';

const job = (...conditions: Array<[string, string]>) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'x' },
  status: {
    conditions: conditions.map(([type, status]) => ({ type, status })),
  },
});

it.each([
  ['just created', job(), 'Progressing'],
  ['held by Kueue', job(['Suspended', 'True']), 'Suspended'],
  // health_job.go counts a Suspended condition as an end whatever its status.
  ['resumed by Kueue', job(['Suspended', 'False']), 'Healthy'],
  ['complete', job(['Suspended', 'False'], ['Complete', 'True']), 'Healthy'],
  ['failed', job(['Suspended', 'False'], ['Failed', 'True']), 'Degraded'],
])('a Job that is %s', (_name, object, health) => {
  expect(healthOf(object)).toBe(health);
});

it('takes the worst of all', () => {
  expect(worstHealth([])).toBe('Healthy');
  expect(worstHealth(['Healthy', 'Progressing', 'Suspended'])).toBe(
    'Progressing',
  );
  expect(worstHealth(['Missing', 'Degraded', 'Healthy'])).toBe('Degraded');
});

import { addressesFromEnvironment } from '../portal/addresses';
import { admittedToVisible } from './admittedToVisible';
import { Bench } from './figure';
import { fiveThousandWorkloads } from './fiveThousandWorkloads';
import { queueingBaseline } from './queueingBaseline';
import { submitToPullRequest } from './submitToPullRequest';

const benches: Bench[] = [
  {
    figures: [
      { name: 'queueing.baseline.workloads_per_s', unit: 'workloads/s' },
    ],
    portal: false,
    run: async () => [await queueingBaseline()],
  },
  submitToPullRequest,
  admittedToVisible,
  fiveThousandWorkloads,
];

/**
 * `--plan [prefix …]` prints which figures there are, as JSON. Otherwise the
 * arguments are the beginnings of the names to measure.
 */
async function main() {
  const args = process.argv.slice(2);
  const prefixes = args.filter(arg => !arg.startsWith('--'));
  const chosen = benches.filter(
    ({ figures }) =>
      prefixes.length === 0 ||
      figures.some(({ name }) =>
        prefixes.some(prefix => name.startsWith(prefix)),
      ),
  );
  if (args.includes('--plan')) {
    const plan = chosen.flatMap(({ figures, portal }) =>
      figures.map(figure => ({ ...figure, portal })),
    );
    console.log(JSON.stringify(plan));
    return;
  }
  for (const bench of chosen) {
    const portal = bench.portal
      ? {
          addresses: addressesFromEnvironment(),
          sandboxPid: JSON.parse(process.env.GPUAAS_PIDS ?? '[]')[0] as number,
        }
      : undefined;
    for (const figure of await bench.run(portal)) {
      console.log(JSON.stringify(figure));
    }
  }
}

main().catch(error => {
  console.error(error);
  process.exitCode = 1;
});

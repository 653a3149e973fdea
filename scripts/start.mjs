// npm start: fetch what is missing, start sandbox and portal, say Ready.
import { parseArgs } from 'node:util';
import { startPortal } from './portal.mjs';
import { run, SetupError } from './toolchain.mjs';

const HELP = `npm start -- [options]
  --port-base <n>   use the block of ports from n instead of the defaults
  --data <folder>   where clusters, repositories and database are kept (default .sandbox)
  --fresh           begin with an empty folder
  --no-load         no background load: every GPU is free
  --seed <n>        another history of background load
  --verbose         show the logs of sandbox and backend
  --json            print the Ready line as JSON`;

await run(async () => {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        'port-base': { type: 'string' },
        data: { type: 'string' },
        fresh: { type: 'boolean', default: false },
        'no-load': { type: 'boolean', default: false },
        seed: { type: 'string' },
        verbose: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new SetupError(`${error.message}\n${HELP}`);
  }
  if (values.help) {
    console.log(HELP);
    return;
  }
  const portBase = values['port-base'];
  if (
    portBase !== undefined &&
    !(
      Number.isInteger(Number(portBase)) &&
      portBase >= 1024 &&
      portBase <= 65_000
    )
  ) {
    throw new SetupError(
      `--port-base is '${portBase}'; accepted: a whole number from 1024 to 65000`,
    );
  }
  const portal = await startPortal({
    portBase: portBase === undefined ? undefined : Number(portBase),
    data: values.data,
    fresh: values.fresh,
    load: !values['no-load'],
    seed: values.seed,
    verbose: values.verbose,
    say: values.json ? line => console.error(line) : console.log,
  });
  if (values.json) {
    console.log(
      JSON.stringify({
        ready: true,
        seconds: portal.seconds,
        ...portal.addresses,
      }),
    );
  } else {
    console.log(
      `\nReady after ${portal.seconds} s: ${portal.addresses.portal}  (pull requests: ${portal.addresses.forge})   Ctrl-C stops everything.`,
    );
  }
  await portal.stopped;
});

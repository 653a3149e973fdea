import { entities } from './entities.browser';
import { keyboard } from './keyboard.browser';
import { looks } from './looks.browser';
import { mainJob } from './mainJob.browser';
import { people } from './people.browser';
import { states } from './states.browser';
import { waiting } from './waiting.browser';

/** Suites by name, in the order they run: the last one leaves a request that waits. */
const suites = {
  entities,
  mainJob,
  keyboard,
  people,
  states,
  waiting,
  looks,
};

const chosen = (process.env.GPUAAS_BROWSER_TESTS ?? '')
  .split(' ')
  .filter(Boolean);
for (const [name, run] of Object.entries(suites)) {
  if (chosen.length === 0 || chosen.includes(name)) {
    run();
  }
}

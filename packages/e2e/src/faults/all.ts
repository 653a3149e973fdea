import { badInputFaults } from './badInput.faults';
import { clockFaults } from './clocks.faults';
import { clusterFaults } from './cluster.faults';
import { databaseFaults } from './database.faults';
import { forgeFaults } from './forge.faults';
import { killedFaults } from './killed.faults';
import { refusedManifestFaults } from './refusedManifest.faults';

/** Suites by name, and the databases each is run on. */
const suites: Record<string, { run: () => unknown; on: string[] }> = {
  badInput: { run: badInputFaults, on: ['sqlite'] },
  refusedManifest: { run: refusedManifestFaults, on: ['sqlite'] },
  database: { run: databaseFaults, on: ['postgres'] },
  forge: { run: forgeFaults, on: ['sqlite'] },
  killed: { run: killedFaults, on: ['sqlite', 'postgres'] },
  clocks: { run: clockFaults, on: ['sqlite'] },
  cluster: { run: clusterFaults, on: ['sqlite'] },
};

const { GPUAAS_DATABASE = 'sqlite', GPUAAS_FAULTS = '' } = process.env;
const chosen = GPUAAS_FAULTS.split(' ').filter(Boolean);
for (const [name, { run, on }] of Object.entries(suites)) {
  if (
    on.includes(GPUAAS_DATABASE) &&
    (chosen.length === 0 || chosen.includes(name))
  ) {
    run();
  }
}

/* eslint-disable no-console */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogFiles } from './catalog';

// Run after the fleet has changed; a test fails until the files agree again.
// eslint-disable-next-line no-restricted-syntax -- runs from its sources, is never built
const folder = resolve(__dirname, '../../catalog');
for (const [name, content] of Object.entries(catalogFiles())) {
  writeFileSync(resolve(folder, name), content);
  console.log(`wrote catalog/${name}`);
}

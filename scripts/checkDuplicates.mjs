// One @backstage/* package twice in the tree means two React contexts, two
// API refs, two plugin registries: faults that show far from their cause.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

/** Every place a @backstage package is installed, found by walking node_modules. */
function installed(folder, found) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue;
    const names = entry.name.startsWith('@')
      ? readdirSync(join(modules, entry.name)).map(
          name => `${entry.name}/${name}`,
        )
      : [entry.name];
    for (const name of names) {
      const place = join(modules, name);
      const manifest = join(place, 'package.json');
      if (name.startsWith('@backstage/') && existsSync(manifest)) {
        const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
        found.set(name, [...(found.get(name) ?? []), { place, version }]);
      }
      installed(place, found);
    }
  }
}

const found = new Map();
installed(root, found);
for (const folder of ['packages', 'plugins']) {
  for (const name of readdirSync(join(root, folder)))
    installed(join(root, folder, name), found);
}
installed(join(root, 'interop'), found);

const twice = [...found].filter(([, places]) => places.length > 1);
for (const [name, places] of twice) {
  console.error(`${name} is installed ${places.length} times:`);
  for (const { place, version } of places)
    console.error(`  ${version}  ${place.slice(root.length + 1)}`);
}
const { resolutions } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const drifted = [...found].filter(
  ([name, [{ version }]]) =>
    resolutions[name] !== undefined && resolutions[name] !== version,
);
for (const [name, [{ version }]] of drifted) {
  console.error(
    `${name} is ${version}, package.json pins ${resolutions[name]}`,
  );
}
if (twice.length || drifted.length) {
  console.error(
    'Pin the package in "resolutions" of package.json and run the install again.',
  );
  process.exit(1);
}
console.log(
  `${found.size} @backstage packages, each installed once, at the pinned version`,
);

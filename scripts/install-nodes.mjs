// The other Nodes that Candor is tested on, as npm has their programs, into `.cache/nodes/`; test/e2e/cli/nodes.test.ts runs those that it
// finds there. `node scripts/install-nodes.mjs`, about 60 MB each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The maintained lines; the one that runs this is tested by everything else. */
const VERSIONS = ['22.23.5', '24.22.3'];
const folder = join(import.meta.dirname, '../.cache/nodes');

for (const version of VERSIONS) {
  const place = join(folder, version);
  if (!existsSync(join(place, 'package/bin/node'))) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const name = `node-${process.platform}-${process.arch}@${version}`;
    const packed = execFileSync('npm', ['pack', '--silent', name], { cwd: place, encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', packed], { cwd: place });
    rmSync(join(place, packed));
  }
  console.log(`${version}: ${join(place, 'package/bin/node')}`);
}

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-no-duckdb-'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !/\.map$|[/\\]web$/.test(path),
  });
  mkdirSync(join(folder, 'node_modules'));
  const isTaken = (name: string): boolean => !name.startsWith('.') && name !== '@duckdb';
  for (const name of readdirSync(join(root, 'node_modules')).filter(isTaken))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "name": "candor", "version": "0.1.0", "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('says how to get DuckDB where it is not installed', () => {
  // Eight bytes in, as DuckDB marks its files.
  writeFileSync(join(folder, 'shop.duckdb'), `${'\0'.repeat(8)}DUCK`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/cli/main.js'), 'onboard', 'duckdb:shop.duckdb'],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(status, stderr).toBe(3);
  expect(stderr).toContain('database.driver-missing');
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(stderr).toContain(`npm install @duckdb/node-api@${peerDependencies['@duckdb/node-api']}`);
});

// The declarations that the package's faces lead to: three in four describe what nobody can import.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Where the compiler writes all of them, and knows what has changed. */
const written = join(root, '.cache/declarations');
const target = join(root, 'dist');

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const found = new Set();
for (const { types } of Object.values(exports)) find(join(written, relative('dist', types)));

mkdirSync(target, { recursive: true });
for (const path of readdirSync(target, { recursive: true }))
  if (path.endsWith('.d.ts')) rmSync(join(target, path));
for (const path of found) {
  const place = join(target, relative(written, path));
  mkdirSync(dirname(place), { recursive: true });
  copyFileSync(path, place);
}

function find(path) {
  if (found.has(path)) return;
  if (!existsSync(path)) throw new Error(`${relative(root, path)} was not written`);
  found.add(path);
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(
    /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
  ))
    find(join(dirname(path), specifier.replace(/\.(?:ts|js)$/, '.d.ts')));
}

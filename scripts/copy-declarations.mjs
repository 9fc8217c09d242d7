// The declarations of what can be imported, each face in one file: of all that the compiler writes they name one in ten.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = join(import.meta.dirname, '..');
/** Where the compiler writes all of them, and knows what has changed. */
const written = join(root, '.cache/declarations');
const target = join(root, 'dist');

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const faces = Object.values(exports).map(({ types }) => relative('dist', types));

mkdirSync(target, { recursive: true });
for (const path of readdirSync(target, { recursive: true }))
  if (path.endsWith('.d.ts')) rmSync(join(target, path));
const bundle = await rolldown({
  input: Object.fromEntries(faces.map((face) => [face.replace(/\.d\.ts$/, ''), join(written, face)])),
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  plugins: [dts({ dtsInput: true, emitDtsOnly: true })],
});
await bundle.write({ dir: target, format: 'esm' });
await bundle.close();

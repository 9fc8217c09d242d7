/** Writes docs/reference/ from the commands, the keys of candor.yml and the error table. Run after any of them changed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderReference } from './render-reference.ts';

const folder = new URL('../docs/reference/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(renderReference())) {
  const file = fileURLToPath(new URL(name, folder));
  await writeFile(file, text);
  process.stdout.write(`docs/reference/${name}\n`);
}

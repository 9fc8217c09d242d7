/** Writes docs/reference/ from the commands, the keys of candor.yml and the error table, and the guide through one question. Run after any of them changed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { renderQuestion } from './render-question.ts';
import { renderReference } from './render-reference.ts';

const folder = new URL('../docs/reference/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await renderReference())) {
  const file = fileURLToPath(new URL(name, folder));
  await writeFile(file, text);
  process.stdout.write(`docs/reference/${name}\n`);
}
await writeFile(new URL('../guides/one-question.md', folder), await renderQuestion());
process.stdout.write('docs/guides/one-question.md\n');

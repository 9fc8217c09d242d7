import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readAuthored } from './folder/read-authored.ts';

const SCRIPT = fileURLToPath(new URL('../../../test/fixtures/knowledge/write-notes.ts', import.meta.url));

it('a writer that is killed leaves every note that was there, and no half one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'candor-killed-'));
  const textsThere = async (): Promise<string[]> =>
    (await readAuthored(folder)).notes.map(({ text }) => text);
  try {
    for (let round = 0; round < 3; round += 1) {
      const before = (await textsThere()).length;
      const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, folder, String(before)]);
      const ended = once(child, 'exit');
      // Readers see a whole file at any moment, also while it is written.
      while ((await textsThere()).length < before + 5 + round);
      child.kill('SIGKILL');
      await ended;
      const texts = await textsThere();
      expect(texts).toEqual(texts.map((_, number) => `note ${number}`));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);

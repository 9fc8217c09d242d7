import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../test/fixtures/code-of.ts';
import { readTextFiles } from '../files/authored-files.ts';
import { readSemanticModel } from '../semantic/read-semantic-model.ts';
import { readExamples } from './examples.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'candor-files-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('readTextFiles', () => {
  it('reads what matches, in the order of names', async () => {
    for (const name of ['b.sql', 'a.sql', 'note.txt']) await writeFile(join(root, name), name);
    const files = await readTextFiles(root, /\.sql$/, 'examples.invalid');
    expect(files.map(({ name, text }) => [name, text])).toEqual([
      ['a.sql', 'a.sql'],
      ['b.sql', 'b.sql'],
    ]);
  });

  it('a missing folder has none', async () => {
    expect(await readTextFiles(join(root, 'none'), /./, 'examples.invalid')).toEqual([]);
  });

  it('refuses a pipe and a folder instead of waiting for them', async () => {
    execFileSync('mkfifo', [join(root, 'pipe.yml')]);
    expect(await codeOf(readSemanticModel(root))).toBe('semantics.invalid');
    await mkdir(join(root, 'folder.sql'));
    expect(await codeOf(readExamples(root))).toBe('examples.invalid');
  });

  it('refuses YAML whose anchors multiply', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`,
    );
    await writeFile(join(root, 'bomb.yml'), `a0: &a0 [x]\n${levels.join('\n')}\n`);
    expect(await codeOf(readSemanticModel(root))).toBe('semantics.invalid');
  });
});

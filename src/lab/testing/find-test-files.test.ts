import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTestFiles } from './find-test-files.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'candor-find-tests-'));
  mkdirSync(join(root, 'tests', 'deep', 'er'), { recursive: true });
  for (const name of [
    'tests/b.yml',
    'tests/a.yaml',
    'tests/README.md',
    'tests/deep/c.yml',
    'tests/deep/er/d.yml',
    'tests/x+y.yml',
  ])
    writeFileSync(join(root, name), '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each<[named: string[], found: string[]]>([
  [[], ['tests/a.yaml', 'tests/b.yml', 'tests/x+y.yml']],
  [['tests/b.yml'], ['tests/b.yml']],
  [
    ['tests/b.yml', 'tests/*.yml'],
    ['tests/b.yml', 'tests/x+y.yml'],
  ],
  [['tests/deep'], ['tests/deep/c.yml']],
  [['tests/**/*.yml'], ['tests/b.yml', 'tests/deep/c.yml', 'tests/deep/er/d.yml', 'tests/x+y.yml']],
  [['tests/?.y*ml'], ['tests/a.yaml', 'tests/b.yml']],
  [['*/x+y.yml'], ['tests/x+y.yml']],
])('%j names %j', async (named, found) => {
  const files = await findTestFiles(named, { cwd: root, root });
  expect(files.map((file) => relative(root, file))).toEqual(found);
});

it.each([['none.yml'], ['none/*.yml'], ['tests/*.json'], ['tests/deep/er/none']])(
  '%s names nothing, which is an error',
  async (name) => {
    await expect(findTestFiles([name], { cwd: root, root })).rejects.toMatchObject({
      code: 'test.no-files',
      message: `There is no question file ${name}.`,
    });
  },
);

it('a project without questions is an error', async () => {
  await expect(findTestFiles([], { cwd: root, root: join(root, 'tests') })).rejects.toMatchObject({
    code: 'test.no-files',
    message: 'There are no question files (*.yml) in tests/tests.',
  });
});

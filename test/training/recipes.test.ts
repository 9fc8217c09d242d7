/** Python of `training/`: its tests run where Python is; those of the files of settings need PyYAML, too. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** As the guide makes it; it has PyYAML. */
const OWN = fileURLToPath(new URL('../../.cache/training/bin/python', import.meta.url));
const PYTHON = existsSync(OWN) ? OWN : 'python3';
const OLDEST = 'import sys; sys.exit(sys.version_info < (3, 10))';
const missing =
  spawnSync(PYTHON, ['-c', OLDEST]).status === 0 ? undefined : 'skipped: there is no Python 3.10 or later';

test.skipIf(missing !== undefined)(`the training recipes pass their tests (${missing ?? PYTHON})`, () => {
  const run = spawnSync(PYTHON, ['-m', 'unittest', 'discover', '-s', 'training/tests', '-t', '.'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(run.stderr).toMatch(/Ran [1-9]\d* tests/);
  expect(run.stderr.trim().split('\n').at(-1)).toMatch(/^OK/);
  expect(run.status).toBe(0);
});

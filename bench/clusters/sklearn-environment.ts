/** A Python with the pinned scikit-learn, made once in a folder that git ignores. */
import { spawnSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SKLEARN_VERSION = '1.9.1';
const FOLDER = fileURLToPath(new URL(`../../.cache/scikit-learn-${SKLEARN_VERSION}`, import.meta.url));

/** Python, pip or the package cannot be had here; the message says what to do. */
export class SklearnMissingError extends Error {}

/** The path of the interpreter; `onProgress` hears of the slow part. */
export async function prepareSklearn(onProgress: (line: string) => void): Promise<string> {
  const python = join(FOLDER, 'bin', 'python');
  // Written last, so that an installation that was cut off is made anew.
  const finished = join(FOLDER, 'finished');
  if (await isThere(finished)) return python;
  onProgress(`scikit-learn ${SKLEARN_VERSION} is installed into ${FOLDER}`);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  run('python3', ['-m', 'venv', FOLDER], 'Install Python 3.11 or later with its venv module.');
  run(
    python,
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `scikit-learn==${SKLEARN_VERSION}`],
    'pip must reach a package index; see `pip config list` for the one it asks.',
  );
  await writeFile(finished, '');
  return python;
}

function run(command: string, args: readonly string[], advice: string): void {
  const { status, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status === 0) return;
  const reason = error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`);
  throw new SklearnMissingError(`\`${command} ${args.join(' ')}\` failed: ${reason}; ${advice}`);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

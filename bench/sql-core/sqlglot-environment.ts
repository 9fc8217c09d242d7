/** A Python with the pinned SQLGlot, made once in a folder that git ignores. */
import { spawnSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SQLGLOT_VERSION = '30.30.0';

const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** SQLGlot comes as plain Python and, from the same authors, compiled to C: the same code, two to three times as fast. */
export type SqlglotBuild = 'python' | 'compiled';

export interface SqlglotEnvironment {
  readonly build: SqlglotBuild;
  /** Path of the interpreter. */
  readonly python: string;
  /** Where answers are kept. */
  readonly folder: string;
}

/** Python, pip or the package cannot be had here; the message says what to do. */
export class SqlglotMissingError extends Error {}

/** Makes the environment unless it is there; `onProgress` hears of the slow part. */
export async function prepareSqlglot(
  build: SqlglotBuild,
  onProgress: (line: string) => void,
): Promise<SqlglotEnvironment> {
  const folder = join(CACHE, `sqlglot-${SQLGLOT_VERSION}${build === 'compiled' ? '-compiled' : ''}`);
  const environment = { build, python: join(folder, 'bin', 'python'), folder };
  // Written last, so that an installation that was cut off is made anew.
  const finished = join(folder, 'finished');
  if (await isThere(finished)) return environment;

  onProgress(`SQLGlot ${SQLGLOT_VERSION} (${build}) is installed into ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  const extra = build === 'compiled' ? '[c]' : '';
  run(
    'python3',
    ['-m', 'venv', folder],
    'Install Python 3.9 or later with its venv module (Debian: python3-venv).',
  );
  run(
    environment.python,
    ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `sqlglot${extra}==${SQLGLOT_VERSION}`],
    'pip must reach a package index; see `pip config list` for the one it asks.',
  );
  await writeFile(finished, '');
  return environment;
}

function run(command: string, args: readonly string[], advice: string): void {
  const { status, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status === 0) return;
  const reason = error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`);
  throw new SqlglotMissingError(`\`${command} ${args.join(' ')}\` failed: ${reason}\n  → ${advice}`);
}

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

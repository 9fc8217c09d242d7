/** A Python with the pinned LightGBM, made once in a folder that git ignores. */
import { spawnSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const LIGHTGBM_VERSION = '4.7.0';

const FOLDER = fileURLToPath(new URL(`../../.cache/lightgbm-${LIGHTGBM_VERSION}`, import.meta.url));

/** The path of the interpreter, or why there is none; `mayInstall` unless a quick run is wanted. */
export async function prepareLightgbm(
  mayInstall: boolean,
  onProgress: (line: string) => void,
): Promise<{ readonly python: string } | { readonly missing: string }> {
  const python = join(FOLDER, 'bin', 'python');
  // Written last, so that an installation that was cut off is made anew.
  const finished = join(FOLDER, 'finished');
  const isThere = await access(finished).then(
    () => true,
    () => false,
  );
  if (isThere) return { python };
  if (!mayInstall) return { missing: 'a whole run installs it' };
  onProgress(`LightGBM ${LIGHTGBM_VERSION} is installed into ${FOLDER}`);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const steps = [
    { command: 'python3', args: ['-m', 'venv', FOLDER], advice: 'Python 3.10 or later with its venv module' },
    {
      command: python,
      args: [...install, `lightgbm==${LIGHTGBM_VERSION}`],
      advice: 'a package index for pip',
    },
  ];
  for (const { command, args, advice } of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) continue;
    const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
    return { missing: `it takes ${advice}: ${reason}` };
  }
  await writeFile(finished, '');
  return { python };
}

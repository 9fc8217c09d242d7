/** A Python with one pinned package, made once in a folder that git ignores: what a peer of a bench runs in. */
import { spawnSync } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PythonPackage {
  /** As people write it, and the folder's name in lower case. */
  readonly name: string;
  /** For pip: `datasketch==2.0.0`. */
  readonly requirement: string;
  /** Tells environments of one package apart. */
  readonly folder: string;
  /** Oldest Python it runs on. */
  readonly python: string;
}

export type PythonEnvironment =
  | { readonly python: string; readonly folder: string }
  /** Why there is none, and what it takes. */
  | { readonly missing: string };

const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url));

/** The interpreter, or why there is none; `mayInstall` unless a quick run is wanted. `onProgress` hears of the slow part. */
export async function preparePython(
  wanted: PythonPackage,
  { mayInstall, onProgress }: { readonly mayInstall: boolean; readonly onProgress: (line: string) => void },
): Promise<PythonEnvironment> {
  const folder = join(CACHE, wanted.folder);
  const python = join(folder, 'bin', 'python');
  // Written last, so that an installation that was cut off is made anew.
  const finished = join(folder, 'finished');
  if (await isThere(finished)) return { python, folder };
  if (!mayInstall) return { missing: 'a whole run installs it' };
  onProgress(`${wanted.name} is installed into ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted.requirement];
  const steps = [
    {
      command: 'python3',
      args: ['-m', 'venv', folder],
      advice: `Python ${wanted.python} or later with its venv module (Debian: python3-venv)`,
    },
    {
      command: python,
      args: install,
      advice: 'a package index for pip; `pip config list` shows the one it asks',
    },
  ];
  for (const { command, args, advice } of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) continue;
    const reason = error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`);
    return { missing: `it takes ${advice}: ${reason}` };
  }
  await writeFile(finished, '');
  return { python, folder };
}

export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

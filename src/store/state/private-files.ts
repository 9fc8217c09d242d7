/**
 * What is derived of a database is for its owner alone: files of 0600 in folders of 0700. A folder that a team shares has
 * the set-group-ID bit (`chmod g+s .candor`), as such folders have; there the process's umask decides, as everywhere else.
 * Windows has no such modes.
 */
import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The folder of derived files in a project. */
const DERIVED = '.candor';
const FOR_OWNER = { folder: 0o700, file: 0o600 };
const BY_UMASK = { folder: 0o777, file: 0o666 };
const SET_GROUP = 0o2000;
const OF_OTHERS = 0o077;

type Modes = typeof FOR_OWNER;

/** Makes a folder and those around it; what lies in `.candor`, or in a folder closed to others, is closed to them too. */
export async function makeFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: (await modesIn(directory)).folder });
}

/** The mode of a new file at this path. */
export async function modeOfFile(path: string): Promise<number> {
  return (await modesIn(dirname(path))).file;
}

/** Closes files that others made, as SQLite makes its own, where their folder is for its owner alone. */
export async function closeFiles(...paths: readonly string[]): Promise<void> {
  const [first] = paths;
  if (first === undefined || (await modeOfFile(first)) !== FOR_OWNER.file) return;
  for (const path of paths) await closeOne(path);
}

/**
 * Closes a folder of derived files that an older Candor, or a copy, has left open to others, and all that lies in it. One
 * that is closed already costs one look; one of another account stays as it is.
 */
export async function closeFolder(directory: string): Promise<void> {
  if (!(await isOpenToOthers(directory))) return;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) await closeOne(join(entry.parentPath, entry.name));
  // Last: a run that is broken off begins anew.
  await closeOne(directory);
}

/** Whether others than its owner may look into a folder that no team shares; false where there is none. */
export async function isOpenToOthers(directory: string): Promise<boolean> {
  const found = await stat(directory).catch(() => undefined);
  if (process.platform === 'win32' || found === undefined || !found.isDirectory()) return false;
  return (found.mode & OF_OTHERS) !== 0 && (found.mode & SET_GROUP) === 0;
}

async function closeOne(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  const isOurs = found !== undefined && found.uid === process.getuid?.();
  if (!isOurs || found.isSymbolicLink() || (found.mode & OF_OTHERS) === 0) return;
  // It may be gone by now: a log of SQLite's, or a file that another run replaces.
  await chmod(path, found.mode & 0o700).catch(() => undefined);
}

async function modesIn(directory: string): Promise<Modes> {
  if (process.platform === 'win32') return BY_UMASK;
  for (let at = resolve(directory), isDerived = false; ; at = dirname(at)) {
    isDerived ||= basename(at) === DERIVED;
    const found = await stat(at).catch(() => undefined);
    if (found !== undefined) {
      if ((found.mode & SET_GROUP) !== 0) return BY_UMASK;
      return isDerived || isWithin(at) || (found.mode & OF_OTHERS) === 0 ? FOR_OWNER : BY_UMASK;
    }
    if (at === dirname(at)) return BY_UMASK;
  }
}

function isWithin(path: string): boolean {
  return path.split(/[/\\]/).includes(DERIVED);
}

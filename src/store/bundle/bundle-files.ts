import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** What belongs to one process or one server, or is half written. */
const LEFT_OUT =
  /(?:^|\/)(?:records|replies|shared)\/|(?:^|\/)server\.db|-(?:wal|shm|journal)$|\.(?:lock|tmp|unfinished)$/;

/** Paths of the files of a folder that a bundle carries, with `/`, in one order everywhere. */
export async function bundleFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

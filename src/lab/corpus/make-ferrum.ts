import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CandorError } from '../../errors.ts';

/** The database of the freight company, made once for each version of the script that makes it. */
export async function makeFerrum(
  folder: string,
  cache: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const script = join(folder, 'make_database.py');
  const version = createHash('sha256')
    .update(await readFile(script))
    .digest('hex')
    .slice(0, 8);
  const path = join(cache, 'databases', `ferrum-${version}.db`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (isMade) return path;
  await mkdir(join(cache, 'databases'), { recursive: true });
  const half = `${path}.${process.pid}`;
  await promisify(execFile)('python3', [script, half], { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new CandorError('eval.data-missing', `python3 could not make the ferrum database by ${script}`, {
      cause,
    });
  });
  await rename(half, path);
  return path;
}

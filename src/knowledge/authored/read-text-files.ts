import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CandorError, type ErrorCode } from '../../errors.ts';

export interface TextFile {
  /** File name inside the folder. */
  readonly name: string;
  /** `folder/name`, as errors show it. */
  readonly shown: string;
  readonly text: string;
}

/**
 * Reads the files of a folder whose names match, in the order of their names; a missing folder has none.
 * What matches and is no regular file (a folder, a pipe) throws `code`: reading it could wait for ever.
 */
export async function readTextFiles(directory: string, names: RegExp, code: ErrorCode): Promise<TextFile[]> {
  const files: TextFile[] = [];
  for (const name of await listNames(directory, names)) {
    const path = join(directory, name);
    const shown = join(basename(directory), name);
    if (!(await stat(path)).isFile()) throw new CandorError(code, `${shown} is not a regular file.`);
    files.push({ name, shown, text: await readFile(path, 'utf8') });
  }
  return files;
}

async function listNames(directory: string, names: RegExp): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => names.test(name)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

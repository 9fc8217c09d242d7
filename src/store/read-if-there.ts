import { readFile } from 'node:fs/promises';

/** The text of a file; undefined where there is none. What else keeps it from being read is thrown. */
export async function readIfThere(path: string): Promise<string | undefined> {
  return (await readBytesIfThere(path))?.toString('utf8');
}

/** The same of a file that is no text. */
export async function readBytesIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, modeOfFile } from './state/private-files.ts';

/** Writes a file so that it is either as it was or as given, whenever the process ends; makes its folder. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    const file = await open(unfinished, 'w', await modeOfFile(path));
    try {
      await file.writeFile(content);
      // A rename may reach the disk before the bytes do.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

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

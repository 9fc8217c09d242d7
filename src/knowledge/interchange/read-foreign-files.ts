import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CandorError } from '../../errors.ts';
import { isCompanion } from './companion.ts';
import type { ForeignFile, InterchangeFormat } from './conversion.ts';
import { decodeForeignText, MAX_FOREIGN_BYTES } from './decode-foreign-text.ts';

/** Files looked at below the folders that are named. */
const MAX_ENTRIES = 100_000;
/** Text kept of all files together. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

/**
 * The files of a format that paths name: a file stands for itself and for the companion beside it, a folder for all
 * the format's files in and below it, in the order of their names. Hidden folders, `node_modules` and links are not
 * entered. Throws `interchange.invalid` for what cannot be read as text.
 */
export async function readForeignFiles(
  format: InterchangeFormat,
  paths: readonly string[],
  cwd: string,
): Promise<ForeignFile[]> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const whole = resolve(cwd, path);
    const stats = await stat(whole).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw invalid(`There is no file or folder ${path}.`);
      throw error;
    });
    if (stats.isDirectory()) {
      for (const file of await filesBelow(whole)) {
        const name = relative(whole, file).split(sep).join('/');
        if (format.accepts(name) || isCompanion(name)) found.set(file, name);
      }
    } else {
      found.set(whole, basename(whole));
      for (const name of await readdir(dirname(whole)))
        if (isCompanion(name) && name.split('.')[0] === basename(whole).split('.')[0])
          found.set(join(dirname(whole), name), name);
    }
  }
  return readAll(found, format);
}

async function readAll(
  found: ReadonlyMap<string, string>,
  { legacyEncoding, largestFile = MAX_FOREIGN_BYTES }: InterchangeFormat,
): Promise<ForeignFile[]> {
  const files: ForeignFile[] = [];
  let total = 0;
  for (const [file, path] of found) {
    const stats = await stat(file);
    if (!stats.isFile()) throw invalid(`${path} is not a regular file.`);
    total += stats.size;
    if (stats.size > largestFile || total > MAX_TOTAL_BYTES)
      throw invalid(`${path}: ${Math.ceil(stats.size / 1024 ** 2)} MiB is more than is read.`);
    files.push(decodeForeignText(await readFile(file), path, { legacyEncoding, largestFile }));
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const open = [folder];
  const files: string[] = [];
  let seen = 0;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const entries = await readdir(at, { withFileTypes: true });
    seen += entries.length;
    if (seen > MAX_ENTRIES) throw invalid(`${folder} holds more than ${MAX_ENTRIES} entries.`);
    for (const entry of entries) {
      if (entry.isFile()) files.push(join(at, entry.name));
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        open.push(join(at, entry.name));
    }
  }
  return files.sort();
}

function invalid(message: string): CandorError {
  return new CandorError('interchange.invalid', message);
}

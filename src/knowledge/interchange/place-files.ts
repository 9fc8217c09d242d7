/** Puts several files in place: all of them or, when it is interrupted before that is settled, none. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';

/** What a file is called until all of them are written. */
const DRAFT = '.importing';
const JOURNAL = z.strictObject({ files: z.array(z.string()) });

export interface PlacedFile {
  readonly path: string;
  readonly text: string;
}

/** Called after each step that can be interrupted: for progress, and for tests that stop there. */
export type OnStep = (step: string) => void;

/**
 * Writes the files, whole, from drafts beside them. A journal in `journalFolder` is the point of no return: stopped
 * before it, nothing has changed; stopped after it, `finishPlacing` puts the rest in place. The order given is the order
 * in which they appear.
 */
export async function placeFiles(
  files: readonly PlacedFile[],
  journalFolder: string,
  onStep: OnStep = () => {},
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path + DRAFT, text);
    onStep(`draft of ${path}`);
  }
  await mkdir(journalFolder, { recursive: true });
  const journal = journalOf(journalFolder);
  const paths = files.map(({ path }) => relative(journalFolder, path));
  await writeWhole(`${journal}.tmp`, JSON.stringify({ files: paths }));
  onStep('journal written');
  await rename(`${journal}.tmp`, journal);
  onStep('journal in place');
  for (const { path } of files) {
    await rename(path + DRAFT, path);
    onStep(path);
  }
  await rm(journal);
}

/**
 * Ends what an interrupted run began: drafts of a journal are put in place, others are removed. Returns what was put in
 * place. Only files in `folders` are touched.
 */
export async function finishPlacing(journalFolder: string, folders: readonly string[]): Promise<string[]> {
  const finished: string[] = [];
  for (const name of await readJournal(journalOf(journalFolder))) {
    const path = resolve(journalFolder, name);
    const isInside = folders.some((folder) => path.startsWith(resolve(folder) + sep));
    if (!isInside || !(await exists(path + DRAFT))) continue;
    await rename(path + DRAFT, path);
    finished.push(path);
  }
  await rm(journalOf(journalFolder), { force: true });
  for (const folder of folders)
    for (const name of await namesIn(folder)) if (name.endsWith(DRAFT)) await rm(join(folder, name));
  return finished;
}

function journalOf(folder: string): string {
  return join(folder, 'import.json');
}

async function readJournal(path: string): Promise<readonly string[]> {
  if (!(await exists(path))) return [];
  try {
    return JOURNAL.parse(JSON.parse(await readFile(path, 'utf8'))).files;
  } catch (error) {
    // It is written whole, so this is no journal of ours: nothing is put in place on its word.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(absent)) !== undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

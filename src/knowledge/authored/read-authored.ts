import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Catalog } from '../../catalog/index.ts';
import { readDescribedFile } from '../described/change-described.ts';
import { DESCRIBED_FILE, readDescribed } from '../described/read-described.ts';
import type { Authored } from './authored.ts';
import { type CatalogNames, catalogNames } from './catalog-names.ts';
import { readAreas } from './read-areas.ts';
import { readBoundedText } from './read-bounded-text.ts';
import { type NotesFound, readNotes } from './read-notes.ts';
import { readStatus } from './read-status.ts';

export const STATUS_FILE = 'status.yml';
export const AREAS_FILE = 'areas.yml';

/**
 * Reads what people write in `knowledge/`: notes and jargon of `*.md` (but for README.md), `status.yml`,
 * `areas.yml` and what a model guessed in `described.yml`; a missing folder or file has none. With a catalog, tables and columns that are named get their ids.
 * Throws `knowledge.invalid` with file, line and column.
 */
export async function readAuthored(directory: string, catalog?: Pick<Catalog, 'tables'>): Promise<Authored> {
  const names = catalog && catalogNames(catalog);
  const read = async (name: string): Promise<{ text: string; shown: string }> => {
    const shown = `${basename(directory)}/${name}`;
    return { text: (await readBoundedText(join(directory, name), shown)) ?? '', shown };
  };
  const found: NotesFound[] = [];
  for (const name of await noteFiles(directory)) {
    const { text, shown } = await read(name);
    found.push(readNotes(text, shown, names));
  }
  const [status, areas] = [await read(STATUS_FILE), await read(AREAS_FILE)];
  const described = await readDescribedFile(directory);
  return {
    notes: found.flatMap(({ notes }) => notes),
    jargon: found.flatMap(({ jargon }) => jargon),
    statuses: readStatus(status.text, status.shown, names),
    areas: readAreas(areas.text, areas.shown, names),
    described: described.length === 0 ? undefined : described,
  };
}

export function isNoteFile(name: string): boolean {
  return /\.md$/i.test(name) && name.toLowerCase() !== 'readme.md';
}

/** Reads the text of one file of `knowledge/` as the kind its name says. Throws `knowledge.invalid`. */
export function checkAuthoredText(name: string, text: string, shown: string, names: CatalogNames): void {
  if (name === STATUS_FILE) readStatus(text, shown, names);
  else if (name === AREAS_FILE) readAreas(text, shown, names);
  else if (name === DESCRIBED_FILE) readDescribed(text, shown);
  else readNotes(text, shown, names);
}

async function noteFiles(directory: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names.filter(isNoteFile).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

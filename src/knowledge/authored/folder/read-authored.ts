import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Catalog } from '../../../catalog/index.ts';
import { readDescribedFile } from '../../described/change-described.ts';
import { DESCRIBED_FILE, readDescribed } from '../../described/read-described.ts';
import { readBoundedText } from '../../files/authored-files.ts';
import type { Authored, ProductArea, TableStatus } from '../authored.ts';
import { type CatalogNames, catalogNames } from '../catalog-names.ts';
import { openKnowledgeYaml } from '../note-attributes.ts';
import { type NotesFound, readNotes } from '../read-notes.ts';

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

// `knowledge/areas.yml`: the parts of the company, who works there and on what.

const NAMES = z.array(z.string().min(1)).nullish();
const AREAS_SHAPE = z.strictObject({ areas: z.record(z.string(), z.unknown()).nullish() });
const AREA = z.strictObject({
  name: z.string().min(1).optional(),
  members: NAMES,
  include_tables: NAMES,
  exclude_tables: NAMES,
  instructions: z.string().min(1).max(2_000).optional(),
});

/** Reads the text; `file` is the name that errors show. Throws `knowledge.invalid` with file, line and column. */
export function readAreas(text: string, file: string, names?: CatalogNames): ProductArea[] {
  const source = openKnowledgeYaml(text, file);
  if (source.value == null) return [];
  const { areas } = source.check(AREAS_SHAPE, source.value, []);
  const tableIds = (written: readonly string[] | null | undefined): string[] =>
    [...new Set(written ?? [])].map((name) => names?.tableOf(name) ?? name.toLowerCase());
  return Object.entries(areas ?? {}).map(([id, value]) => {
    const entry = source.check(AREA, value ?? {}, ['areas', id]);
    const { instructions } = entry;
    return {
      id,
      name: entry.name ?? id,
      members: [...new Set(entry.members ?? [])],
      includeTables: tableIds(entry.include_tables),
      excludeTables: tableIds(entry.exclude_tables),
      ...(instructions === undefined ? {} : { instructions }),
    };
  });
}

// `knowledge/status.yml`: which tables to trust.

const STATUS_SHAPE = z.strictObject({ tables: z.record(z.string(), z.unknown()).nullish() });
const STATUS = z.strictObject({
  status: z.enum(['certified', 'deprecated']),
  by: z.string().min(1),
  at: z.iso.date('expected a day, YYYY-MM-DD'),
  why: z.string().min(1).max(2_000).optional(),
  replaced_by: z.string().min(1).optional(),
});

/** Reads the text; `file` is the name that errors show. Throws `knowledge.invalid` with file, line and column. */
export function readStatus(text: string, file: string, names?: CatalogNames): TableStatus[] {
  const source = openKnowledgeYaml(text, file);
  if (source.value == null) return [];
  const { tables } = source.check(STATUS_SHAPE, source.value, []);
  const seen = new Set<string>();
  return Object.entries(tables ?? {}).map(([written, value]) => {
    const path = ['tables', written];
    const { replaced_by: replacedBy, why, ...entry } = source.check(STATUS, value, path);
    const table = tableId(written, names);
    if (seen.has(table)) throw source.fault(path, `${table} stands twice`);
    seen.add(table);
    return {
      table,
      ...entry,
      ...(why === undefined ? {} : { why }),
      ...(replacedBy === undefined ? {} : { replacedBy: tableId(replacedBy, names) }),
      place: source.placeOf(path),
    };
  });
}

function tableId(written: string, names: CatalogNames | undefined): string {
  return names?.tableOf(written) ?? written.toLowerCase();
}

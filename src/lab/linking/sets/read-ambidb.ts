/** AmbiDB: 753 questions over 128 databases that a language model widened with similar tables. No keys are declared. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { requirePath } from '../../corpus/suite-places.ts';
import { goldItems } from '../score/gold-items.ts';
import {
  buildCatalog,
  type DescribedColumn,
  type DescribedSchema,
  type DescribedTable,
} from './build-catalog.ts';
import type { LinkDatabase, LinkSet } from './link-set.ts';
import { makeSet } from './make-set.ts';
import { describeSchema, readTablesFile } from './read-tables-file.ts';
import type { LinkSetOptions } from './set-options.ts';

const ROWS = z.array(
  z.object({
    instance_id: z.string(),
    question: z.string(),
    db_id: z.string(),
    query: z.string(),
    schema_links: z.array(z.string()),
  }),
);

/**
 * Gold is of the SQL, as in the other sets. About four in ten questions name tables or columns that their widened
 * database lacks: they are left out. A case whose published links are others than those of its SQL is flagged.
 */
export async function readAmbiDb({ dataDirectory, only }: LinkSetOptions): Promise<LinkSet> {
  const folder = join(dataDirectory, 'ambidb');
  const path = await requirePath(join(folder, 'AmbiDB_data.json'), 'The set AmbiDB');
  const rows = ROWS.parse(JSON.parse(await readFile(path, 'utf8'))).filter(
    ({ db_id }) => only?.has(db_id) ?? true,
  );
  const databases = new Map<string, LinkDatabase>();
  const namesakes = new Map<string, LinkDatabase[]>();
  for (const file of await readTablesFile(join(folder, 'tables.json'))) {
    if (!(only?.has(file.db_id) ?? true)) continue;
    const known = namesakes.get(file.db_id) ?? [];
    const name = known.length === 0 ? file.db_id : `${file.db_id}#${known.length + 1}`;
    const database = { name, catalog: buildCatalog(name, 'sqlite', mergeRepeated(describeSchema(file))) };
    databases.set(name, database);
    namesakes.set(file.db_id, [...known, database]);
  }
  const questions = rows.map(({ instance_id: id, db_id, question, query: sql }) => {
    // Three names are of several databases: the question is of the one that its SQL fits.
    const fitting = namesakes.get(db_id)?.find(({ catalog }) => goldItems(sql, catalog).ok);
    return { id, database: fitting?.name ?? db_id, question, hint: '', sql };
  });
  const set = makeSet('ambidb', databases, questions);
  const published = new Map(
    rows.map(({ instance_id, schema_links }) => [
      instance_id,
      new Set(schema_links.map((link) => link.toLowerCase())),
    ]),
  );
  const differing = set.cases.flatMap(({ id, goldFields }) => {
    const links = published.get(id);
    const isSame =
      links?.size === goldFields?.size && [...(goldFields ?? [])].every((field) => links?.has(field));
    return isSame ? [] : [{ id, because: 'the published links are others than the columns of its SQL' }];
  });
  return { ...set, flagged: [...set.flagged, ...differing] };
}

/** Some tables stand there twice and some columns too, now and then with their type in the name: `note(type: text)`. */
function mergeRepeated({ tables, keys }: DescribedSchema): DescribedSchema {
  const merged = new Map<string, DescribedTable>();
  for (const table of tables) {
    const key = table.name.toLowerCase();
    const known = merged.get(key) ?? { ...table, columns: [] };
    merged.set(key, { ...known, columns: [...known.columns, ...table.columns] });
  }
  return {
    tables: [...merged.values()].map((table) => ({ ...table, columns: distinct(table.columns) })),
    keys,
  };
}

function distinct(columns: readonly DescribedColumn[]): DescribedColumn[] {
  const named = columns.map((column) => ({ ...column, name: column.name.replace(/\s*\(type: .*\)?$/i, '') }));
  const known = new Map<string, DescribedColumn>();
  for (const column of named)
    if (!known.has(column.name.toLowerCase())) known.set(column.name.toLowerCase(), column);
  return [...known.values()];
}

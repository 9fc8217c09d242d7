/** AmbiQT's synonym maps over Spider's questions: an item is replaced by its two synonyms, and either is right. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog, Table } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { requirePath } from '../corpus/suite-places.ts';
import { readLinkSet } from '../linking/index.ts';
import type { AmbiguityCases, AmbiguousCase } from './ambiguous-case.ts';

const PAIR = z.array(z.string()).min(2);
const COLUMN_MAP = z.record(z.string(), z.record(z.string(), z.record(z.string(), PAIR)));
const TABLE_MAP = z.record(z.string(), z.record(z.string(), PAIR));

/** Ordinary questions of the split, and one case for each item of their gold that has synonyms. */
export async function readSynonymCases(
  split: 'train' | 'validation',
  dataDirectory: string,
): Promise<AmbiguityCases> {
  const [columns, tables, set] = await Promise.all([
    readMap(join(dataDirectory, 'ambiqt/col-synonyms/two_col_synonyms.json'), COLUMN_MAP),
    readMap(join(dataDirectory, 'ambiqt/tbl-synonyms/two_tbl_synonyms.json'), TABLE_MAP),
    readLinkSet(split === 'train' ? 'spider-train' : 'spider', { dataDirectory, descriptions: 'none' }),
  ]);
  const replaced = new Map<string, Catalog>();
  const cases = set.cases.flatMap(
    ({ database, question, goldTables, goldFields }, place): AmbiguousCase[] => {
      const catalog = set.databases.get(database)?.catalog;
      if (catalog === undefined || goldFields === null) return [];
      const made: AmbiguousCase[] = [{ kind: 'ordinary', database, question, catalog, pairs: [] }];
      const add = (kind: 'col-synonyms' | 'tbl-synonyms', id: string, pair: readonly string[]): void => {
        const [one = '', two = ''] = pair.map((name) => name.toLowerCase());
        const key = `${kind} ${database} ${id}`;
        const both = replaced.get(key) ?? withBoth(catalog, id, pair.slice(0, 2));
        replaced.set(key, both);
        const owner = kind === 'col-synonyms' ? id.slice(0, id.indexOf('.') + 1) : '';
        if (one !== two)
          made.push({
            kind,
            database,
            question,
            catalog: both,
            pairs: [[`${owner}${one}`, `${owner}${two}`]],
          });
      };
      const unused = Object.entries(tables[database] ?? {}).filter(
        ([table, [one, two]]) =>
          !goldTables.has(table.toLowerCase()) && one?.toLowerCase() !== two?.toLowerCase(),
      );
      const [spare, names] = unused[place % Math.max(1, unused.length)] ?? [];
      if (spare !== undefined && names !== undefined)
        made.push({
          kind: 'elsewhere',
          database,
          question,
          catalog: withBoth(catalog, spare.toLowerCase(), names.slice(0, 2)),
          pairs: [],
        });
      for (const [table, pair] of Object.entries(tables[database] ?? {}))
        if (goldTables.has(table.toLowerCase())) add('tbl-synonyms', table.toLowerCase(), pair);
      for (const [table, ofTable] of Object.entries(columns[database] ?? {}))
        for (const [column, pair] of Object.entries(ofTable)) {
          const id = `${table}.${column}`.toLowerCase();
          if (goldFields.has(id)) add('col-synonyms', id, pair);
        }
      return made;
    },
  );
  return { cases, leftOut: { ordinary: set.leftOut.length } };
}

async function readMap<T>(path: string, form: z.ZodType<T>): Promise<T> {
  const parsed = form.safeParse(JSON.parse(await readFile(await requirePath(path, 'AmbiQT'), 'utf8')));
  if (parsed.success) return parsed.data;
  throw new CandorError('eval.data-missing', `${path} is not AmbiQT's: ${parsed.error.message}`);
}

/** The catalog with a table or column standing twice, under each of the names; its keys go with it. */
function withBoth(catalog: Catalog, id: string, names: readonly string[]): Catalog {
  const renamed = (table: Table, name: string): Table => ({
    ...table,
    id: name.toLowerCase(),
    name,
    columns: table.columns.map((column) => ({
      ...column,
      id: `${name}.${column.name}`.toLowerCase(),
      tableId: name.toLowerCase(),
    })),
    primaryKey: table.primaryKey.map((key) => `${name}${key.slice(key.indexOf('.'))}`.toLowerCase()),
  });
  return {
    ...catalog,
    tables: catalog.tables.flatMap((table) => {
      if (table.id === id) return names.map((name) => renamed(table, name));
      const columns = table.columns.flatMap((column) =>
        column.id === id
          ? names.map((name) => ({ ...column, name, id: `${table.id}.${name}`.toLowerCase() }))
          : [column],
      );
      return [{ ...table, columns }];
    }),
    foreignKeys: catalog.foreignKeys.filter(
      ({ fromTable, toTable, fromColumns, toColumns }) =>
        ![fromTable, toTable, ...fromColumns, ...toColumns].includes(id),
    ),
  };
}

/** Schemas of a file of Spider's form, which BIRD and AmbiDB share. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../../errors.ts';
import { requirePath } from '../../corpus/suite-places.ts';
import type { DescribedKey, DescribedSchema } from './build-catalog.ts';

const NAMES = z.array(z.tuple([z.number(), z.string()]));

const DATABASES = z.array(
  z.object({
    db_id: z.string(),
    table_names_original: z.array(z.string()),
    table_names: z.array(z.string()).default([]),
    column_names_original: NAMES,
    /** As people say them. */
    column_names: NAMES.default([]),
    column_types: z.array(z.string()),
    primary_keys: z.array(z.union([z.number(), z.array(z.number())])).default([]),
    foreign_keys: z.array(z.tuple([z.number(), z.number()])).default([]),
  }),
);

export type TablesFileDatabase = z.infer<typeof DATABASES>[number];

/** The databases of the file, in its order. Throws `eval.data-missing` when it is absent or of another form. */
export async function readTablesFile(path: string): Promise<readonly TablesFileDatabase[]> {
  const text = await readFile(await requirePath(path, 'The schema file'), 'utf8');
  const parsed = DATABASES.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CandorError('eval.data-missing', `${path} is no schema file: ${parsed.error.message}`);
}

/**
 * What the file says of one database. `spokenNames` are added as comments where they say more than the name;
 * `describe` gives further words of a column.
 */
export function describeSchema(
  database: TablesFileDatabase,
  describe: (table: string, column: string) => string = () => '',
): DescribedSchema {
  const { table_names_original: names, column_names_original: columns } = database;
  const primary = new Set(database.primary_keys.flat());
  return {
    tables: names.map((name, tableAt) => {
      const own = columns.flatMap(([owner], at) => (owner === tableAt ? [at] : []));
      return {
        name,
        comment: spoken(database.table_names[tableAt], name),
        columns: own.map((at) => {
          const column = columns[at]![1];
          const words = spoken(database.column_names[at]?.[1], column);
          return {
            name: column,
            type: database.column_types[at] ?? '',
            comment: joinDistinct([words, describe(name, column)]),
          };
        }),
        primaryKey: own.filter((at) => primary.has(at)).map((at) => columns[at]![1]),
      };
    }),
    keys: database.foreign_keys.flatMap(([from, to]) => describeKey(database, from, to)),
  };
}

/** The spoken name, empty where it is the name itself in other letters. */
function spoken(words: string | undefined, name: string): string {
  const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return words === undefined || bare(words) === bare(name) ? '' : words;
}

function joinDistinct(texts: readonly string[]): string {
  const [words = '', more = ''] = texts;
  if (words === '' || more.toLowerCase().includes(words.toLowerCase())) return more;
  return more === '' ? words : `${words}: ${more}`;
}

function describeKey(database: TablesFileDatabase, from: number, to: number): DescribedKey[] {
  const { table_names_original: tables, column_names_original: columns } = database;
  const [left, right] = [columns[from], columns[to]];
  const fromTable = tables[left?.[0] ?? -1];
  const toTable = tables[right?.[0] ?? -1];
  if (left === undefined || right === undefined || fromTable === undefined || toTable === undefined)
    return [];
  return [{ fromTable, fromColumns: [left[1]], toTable, toColumns: [right[1]] }];
}

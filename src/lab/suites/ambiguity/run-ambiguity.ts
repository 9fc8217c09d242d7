import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findAmbiguity } from '../../../boundary/index.ts';
import type { Catalog, Table } from '../../../catalog/index.ts';
import { CandorError } from '../../../errors.ts';
import { requirePath } from '../../corpus/suite-places.ts';
import { type GoldItems, goldItems, readLinkSet } from '../../linking/index.ts';
import { buildCatalog } from '../../linking/sets/build-catalog.ts';
import { type Interval, wilsonInterval } from '../../metrics/intervals.ts';

export type AmbiguitySplit = 'train' | 'validation';

interface AmbiguityShare extends Interval {
  readonly hits: number;
  readonly total: number;
  readonly share: number;
}

export interface AmbiguityReport {
  readonly split: AmbiguitySplit;
  /** By name: `truePairRate`, `truePairRate.tbl-agg`, …, `falseAlarmRate`. */
  readonly figures: Readonly<Record<string, AmbiguityShare>>;
  /** Questions whose gold could not be read, by kind. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly isComplete: boolean;
}

interface Judged {
  readonly kind: AmbiguousCase['kind'];
  readonly isAsked: boolean;
  readonly isTrue: boolean;
}

export interface AmbiguityRunOptions {
  readonly dataDirectory: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Asks every question against the schema with both readings. The train split has no table splits. */
export async function runAmbiguity(
  split: AmbiguitySplit,
  { dataDirectory, signal, onProgress }: AmbiguityRunOptions,
): Promise<AmbiguityReport> {
  const read = await Promise.all([
    readSynonymCases(split, dataDirectory),
    readAmbiqt('tbl-agg', split, dataDirectory),
    ...(split === 'train' ? [] : [readAmbiqt('tbl-split', split, dataDirectory)]),
  ]);
  const cases = read.flatMap((part) => part.cases);
  const judged: Judged[] = [];
  for (const each of cases) {
    if (signal?.aborted === true) break;
    judged.push(judge(each));
    if (judged.length % 200 === 0) {
      onProgress?.(judged.length, cases.length);
      // Ctrl-C and the progress line are served between questions.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return {
    split,
    figures: figuresOf(judged),
    leftOut: Object.assign({}, ...read.map((part) => part.leftOut)) as AmbiguityReport['leftOut'],
    isComplete: judged.length === cases.length,
  };
}

function judge({ kind, question, catalog, pairs }: AmbiguousCase): Judged {
  const offered = findAmbiguity(question, catalog).map(
    ({ choices }) => new Set(choices.flatMap(({ ids }) => ids)),
  );
  return {
    kind,
    isAsked: offered.length > 0,
    isTrue:
      pairs.length > 0 && pairs.every(([one, two]) => offered.some((ids) => ids.has(one) && ids.has(two))),
  };
}

function figuresOf(judged: readonly Judged[]): Readonly<Record<string, AmbiguityShare>> {
  const figures: Record<string, AmbiguityShare> = {};
  const add = (rows: readonly Judged[], suffix: string): void => {
    const asked = rows.filter(({ isAsked }) => isAsked);
    const right = rows.filter(({ isTrue }) => isTrue).length;
    figures[`askedRate${suffix}`] = shareOf(asked.length, rows.length);
    figures[`truePairRate${suffix}`] = shareOf(right, rows.length);
    figures[`truePairRateOfAsked${suffix}`] = shareOf(right, asked.length);
  };
  add(
    judged.filter(({ kind }) => kind !== 'ordinary' && kind !== 'elsewhere'),
    '',
  );
  for (const kind of AMBIGUITY_KINDS) {
    const rows = judged.filter((each) => each.kind === kind);
    if (rows.length > 0) add(rows, `.${kind}`);
  }
  const ordinary = judged.filter(({ kind }) => kind === 'ordinary');
  figures.falseAlarmRate = shareOf(ordinary.filter(({ isAsked }) => isAsked).length, ordinary.length);
  const elsewhere = judged.filter(({ kind }) => kind === 'elsewhere');
  figures['falseAlarmRate.elsewhere'] = shareOf(
    elsewhere.filter(({ isAsked }) => isAsked).length,
    elsewhere.length,
  );
  return figures;
}

function shareOf(hits: number, total: number): AmbiguityShare {
  return { hits, total, share: total === 0 ? 0 : hits / total, ...wilsonInterval(hits, total) };
}

// AmbiQT (arXiv 2310.13659): table splits and precomputed aggregates, each question with both queries and the schema.

const ROWS = z.array(
  z.object({
    db_id: z.string(),
    question: z.string(),
    query1: z.string(),
    query2: z.string(),
    schema_without_content: z.string(),
    primary_key: z.record(z.string(), z.string()).optional(),
    /** Null where Spider names no key. */
    tables_with_pkeys: z.array(z.tuple([z.string(), z.string().nullable()])).optional(),
  }),
);

const AGGREGATED = /^(?:max|min|avg|sum|total|count)_(.+)$/u;

/** `split` names the file: `validation`, or `train`, which only tbl-agg has. */
async function readAmbiqt(
  kind: 'tbl-split' | 'tbl-agg',
  split: 'train' | 'validation',
  dataDirectory: string,
): Promise<AmbiguityCases> {
  const file = join(dataDirectory, 'ambiqt', kind, `${split}.json`);
  const parsed = ROWS.safeParse(JSON.parse(await readFile(await requirePath(file, 'AmbiQT'), 'utf8')));
  if (!parsed.success)
    throw new CandorError('eval.data-missing', `${file} is not AmbiQT's: ${parsed.error.message}`);
  const cases: AmbiguousCase[] = [];
  for (const row of parsed.data) {
    const keys: Readonly<Record<string, string | null>> =
      row.primary_key ?? Object.fromEntries(row.tables_with_pkeys ?? []);
    const catalog = readSchemaText(row.db_id, row.schema_without_content, keys);
    const pairs = pairsOf(kind, goldItems(row.query1, catalog), goldItems(row.query2, catalog));
    if (pairs.length > 0) cases.push({ kind, database: row.db_id, question: row.question, catalog, pairs });
  }
  return { cases, leftOut: { [kind]: parsed.data.length - cases.length } };
}

/** `singer : name , age | concert : …`; some names have a value stuck to them, which a quotation mark begins. */
function readSchemaText(
  database: string,
  text: string,
  keys: Readonly<Record<string, string | null>>,
): Catalog {
  const tables = text.split('|').flatMap((part) => {
    const [name = '', columns] = part.split(' : ');
    if (columns === undefined) return [];
    const names = columns.split(' , ').map((column) => column.replace(/\s*".*$/u, '').trim());
    const table = name.trim();
    const key = keys[table];
    return [
      {
        name: table,
        columns: [...new Set(names)].filter((each) => each !== '').map((each) => ({ name: each, type: '' })),
        primaryKey: typeof key === 'string' && names.includes(key) ? [key] : [],
      },
    ];
  });
  return buildCatalog(database, 'sqlite', { tables, keys: [] });
}

function pairsOf(
  kind: AmbiguityKind,
  one: GoldItems,
  two: GoldItems,
): readonly (readonly [string, string])[] {
  if (!one.ok || !two.ok) return [];
  const more = [...two.fields].filter((id) => !one.fields.has(id));
  return more.flatMap((id) => {
    const name = id.slice(id.indexOf('.') + 1);
    const wanted = kind === 'tbl-agg' ? AGGREGATED.exec(name)?.[1] : name;
    const raw = [...one.fields].find((field) => field.slice(field.indexOf('.') + 1) === wanted);
    return raw === undefined ? [] : [[raw, id] as const];
  });
}

// AmbiQT's synonym maps over Spider's questions: an item is replaced by its two synonyms, and either is right.

const PAIR = z.array(z.string()).min(2);
const COLUMN_MAP = z.record(z.string(), z.record(z.string(), z.record(z.string(), PAIR)));
const TABLE_MAP = z.record(z.string(), z.record(z.string(), PAIR));

/** Ordinary questions of the split, and one case for each item of their gold that has synonyms. */
async function readSynonymCases(
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

/** The four kinds of AmbiQT, and ordinary questions, which have no second reading. */
const AMBIGUITY_KINDS = ['col-synonyms', 'tbl-synonyms', 'tbl-split', 'tbl-agg'] as const;
type AmbiguityKind = (typeof AMBIGUITY_KINDS)[number];

interface AmbiguousCase {
  /** `elsewhere`: the schema has two readings of something that the question does not need. */
  readonly kind: AmbiguityKind | 'ordinary' | 'elsewhere';
  readonly database: string;
  readonly question: string;
  /** With both readings in it. */
  readonly catalog: Catalog;
  /** Ids that one part must offer side by side, for each place where the two gold queries part. */
  readonly pairs: readonly (readonly [string, string])[];
}

interface AmbiguityCases {
  readonly cases: readonly AmbiguousCase[];
  /** Questions whose gold cannot be read, by kind. */
  readonly leftOut: Readonly<Record<string, number>>;
}

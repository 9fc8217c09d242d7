/** AmbiQT (arXiv 2310.13659): table splits and precomputed aggregates, each question with both queries and the schema. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Catalog } from '../../catalog/index.ts';
import { CandorError } from '../../errors.ts';
import { requirePath } from '../corpus/suite-places.ts';
import { type GoldItems, goldItems } from '../linking/index.ts';
import { buildCatalog } from '../linking/sets/build-catalog.ts';
import type { AmbiguityCases, AmbiguityKind, AmbiguousCase } from './ambiguous-case.ts';

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
export async function readAmbiqt(
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

import { below, type ImportContext, type Spot } from '../conversion/import-context.ts';
import { plainName } from '../conversion/names.ts';
import { AsideBox, type BlockData, keepWritten, withoutUndefined } from '../conversion/vendor-block.ts';
import type { Imported } from '../foreign/conversion.ts';
import { COLUMN_LISTS, type CortexModel, type CortexQuery, type CortexTable, QUERY } from './cortex-shape.ts';
import { sourceOf } from './import-cortex-table.ts';
import { type TableNames, toPhysicalSql } from './logical-sql.ts';

interface ReadQueries {
  readonly examples: Imported['examples'];
  readonly aside: BlockData;
  /** What the verified pairs say beyond question, SQL, who and when, by question. */
  readonly block: BlockData;
}

const SECONDS_A_DAY = 86_400;

/** Verified queries become verified pairs; their SQL then names the tables of the database. */
export function importQueries(model: CortexModel, spot: Spot, desk: ImportContext): ReadQueries {
  const tables = model.tables.flatMap((table) => tableNames(table) ?? []);
  const aside = new AsideBox();
  const said: Record<string, unknown> = {};
  const examples = (model.verified_queries ?? []).flatMap((query, index) => {
    const at = below(spot, 'verified_queries', index);
    at.document.unknownKeys(query, Object.keys(QUERY.shape), at.path);
    const sql = toPhysicalSql(query.sql, tables);
    const question = query.question.replace(/\s+/g, ' ');
    if (sql === undefined || Object.hasOwn(said, question)) {
      const why = sql === undefined ? 'its SQL is not understood' : 'its question stands twice';
      aside.add('verified_queries', index, query);
      desk.lose('kept', at, `verified query ${query.name ?? question}: ${why}`);
      return [];
    }
    said[question] = notesOf(query, question, sql);
    const { verified_by, verified_at } = query;
    return [
      withoutUndefined({
        question,
        sql,
        verifiedBy: verified_by?.replace(/\s+/g, ' ').trim() || undefined,
        verifiedAt: dayOf(verified_at ?? undefined),
      }),
    ];
  });
  const notes = Object.fromEntries(
    Object.entries(said).filter(([, entry]) => Object.keys(entry ?? {}).length > 0),
  );
  return {
    examples,
    aside: aside.block(),
    block: Object.keys(notes).length === 0 ? {} : { queries: notes },
  };
}

function notesOf(query: CortexQuery, question: string, sql: string): BlockData {
  const { name, question: written, sql: text, verified_at, verified_by, ...rest } = query;
  const day = dayOf(verified_at ?? undefined);
  return withoutUndefined({
    ...rest,
    ...(name == null ? { unnamed: true } : name === queryName(question) ? {} : { name }),
    question: written === question ? undefined : written,
    verified_at: verified_at == null || secondsOf(day) === verified_at ? undefined : verified_at,
    verified_by:
      verified_by == null || verified_by === verified_by.replace(/\s+/g, ' ').trim()
        ? undefined
        : verified_by,
    ...keepWritten(text, sql),
  });
}

/** The name a verified query gets where it has none of its own. */
export function queryName(question: string): string {
  return plainName(question.toLowerCase()).slice(0, 60);
}

/** Seconds since 1970 of a day's start in UTC. */
export function secondsOf(day: string | undefined): number | undefined {
  const milliseconds = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

/** The day in UTC; `undefined` for a time that no calendar of four-digit years has. */
export function dayOf(seconds: number | undefined): string | undefined {
  const day = Math.floor((seconds ?? Number.NaN) / SECONDS_A_DAY);
  if (!(day >= 0 && day < 2_932_897)) return undefined;
  return new Date(day * SECONDS_A_DAY * 1000).toISOString().slice(0, 10);
}

function tableNames(table: CortexTable): TableNames | undefined {
  const source = sourceOf(table);
  if (source === undefined) return undefined;
  const columns = COLUMN_LISTS.flatMap((list) => table[list] ?? []);
  return {
    logical: table.name,
    source,
    columns: new Map(columns.map(({ name, expr }) => [name, String(expr ?? name)])),
  };
}

/** What alterations need to know of a database, read once for all of its questions. */
import type { QueryLimits } from '../../database/index.ts';
import type { Session } from '../../session.ts';
import { DIALECTS, quoteName } from '../../sql/index.ts';
import { readKnownWords, tableText } from './known-words.ts';
import type { AlteredSite } from './right-answer.ts';

export type AlteredDatabase = Pick<AlteredSite, 'catalog' | 'tableNames' | 'known' | 'storedValues'>;

const LIMITS: QueryLimits = { rows: 300, bytes: 1_000_000, timeoutMs: 30_000 };

const OPENED = new WeakMap<Session, Promise<AlteredDatabase>>();

export function openAlteredDatabase(session: Session, signal: AbortSignal): Promise<AlteredDatabase> {
  const held = OPENED.get(session) ?? read(session, signal);
  OPENED.set(session, held);
  return held;
}

async function read(session: Session, signal: AbortSignal): Promise<AlteredDatabase> {
  const { catalog, semantics, database } = session;
  const tableNames = new Map(
    catalog.tables.map(({ id, name }) => {
      const datasets = semantics.datasets.filter(({ table }) => table.toLowerCase() === name.toLowerCase());
      const own = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
      return [id, [own, ...datasets.flatMap((dataset) => [dataset.name, ...dataset.synonyms])]];
    }),
  );
  const stored = new Map<string, readonly string[]>();
  return {
    catalog,
    tableNames,
    known: await readKnownWords(session, signal),
    async storedValues(tableId, column) {
      const table = catalog.tables.find(({ id }) => id === tableId);
      if (table === undefined) return [];
      const key = `${tableId} ${column}`;
      const held = stored.get(key);
      if (held !== undefined) return held;
      const name = quoteName(column, DIALECTS[catalog.dialect]);
      // Ordered, so that the same seed draws the same values.
      const sql = `SELECT DISTINCT ${name} FROM ${tableText(table, catalog.dialect)} WHERE ${name} IS NOT NULL ORDER BY ${name}`;
      const { rows } = await database.query(sql, LIMITS, signal);
      const values = rows.flatMap(([cell]) => (typeof cell === 'string' ? [cell] : []));
      stored.set(key, values);
      return values;
    },
  };
}

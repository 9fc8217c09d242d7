/** Links between tables that nobody declared: the names say so and the values agree. */
import type { Database, QueryLimits } from '../database/index.ts';
import type { Catalog, Column, ForeignKey, Table } from './catalog.ts';
import { quoteName } from './quote-name.ts';

/** Distinct values compared per link. */
const COMPARED_VALUES = 1_000;
/** Real tables have a few dangling references; more of them means another kind of number. */
const DANGLING_SHARE = 0.05;
/** Names that every table may have and that point at nothing. */
const GENERIC = new Set([
  'id',
  'key',
  'code',
  'no',
  'nr',
  'number',
  'name',
  'date',
  'year',
  'type',
  'status',
]);
const KEY_ENDING = /_?(id|key|code|no|nr|num|number)$/;
const TABLE_MARK = /^(dim|fact|fct|tbl|tb|t|d|f|stg|ref)_/;
const LIMITS: QueryLimits = { rows: 1, bytes: 10_000, timeoutMs: 30_000 };

interface Candidate {
  readonly from: Table;
  readonly column: Column;
  readonly to: Table;
  readonly key: Column;
  /** The column is named after the table, not only like its key. */
  readonly isNamedAfterTable: boolean;
}

/** Finds links for columns without a declared key, between tables without one. */
export async function inferForeignKeys(
  database: Database,
  catalog: Catalog,
  signal?: AbortSignal,
): Promise<ForeignKey[]> {
  const found: ForeignKey[] = [];
  const tables = catalog.tables.filter((table) => table.kind === 'table');
  for (const from of tables) {
    for (const column of from.columns) {
      if (isDeclared(catalog, column)) continue;
      const accepted: Candidate[] = [];
      for (const candidate of findCandidates(catalog, tables, from, column)) {
        if (await isContained(database, candidate, signal)) accepted.push(candidate);
      }
      const named = accepted.filter((candidate) => candidate.isNamedAfterTable);
      const choices = named.length > 0 ? named : accepted;
      const [choice] = choices;
      // Two equally good targets are a guess; a wrong join is worse than none.
      if (choice === undefined || choices.length > 1) continue;
      found.push({
        fromTable: from.id,
        fromColumns: [column.id],
        toTable: choice.to.id,
        toColumns: [choice.key.id],
        source: 'inferred',
      });
    }
  }
  return found;
}

function isDeclared(catalog: Catalog, column: Column): boolean {
  return catalog.foreignKeys.some((key) => key.fromColumns.includes(column.id));
}

function findCandidates(
  catalog: Catalog,
  tables: readonly Table[],
  from: Table,
  column: Column,
): Candidate[] {
  const candidates: Candidate[] = [];
  const columnName = fold(column.name);
  const stem = KEY_ENDING.test(columnName) ? columnName.replace(KEY_ENDING, '') : '';
  for (const to of tables) {
    const keyId = to.primaryKey.length === 1 ? to.primaryKey[0] : undefined;
    const key = to.columns.find((candidate) => candidate.id === keyId);
    if (key === undefined || key.id === column.id || key.family !== column.family) continue;
    if (to.id === from.id) {
      if (stem !== 'parent') continue;
    } else if (isLinked(catalog, from, to)) continue;
    const isOwnKey = from.primaryKey.length === 1 && from.primaryKey[0] === column.id;
    const isNamedAfterTable =
      to.id === from.id || (stem !== '' && isNameOf(stem, to.id) && !isNameOf(stem, from.id));
    const isNamedLikeKey = columnName === fold(key.name) && !GENERIC.has(columnName) && !isOwnKey;
    if (isNamedAfterTable || isNamedLikeKey) candidates.push({ from, column, to, key, isNamedAfterTable });
  }
  return candidates;
}

function isLinked(catalog: Catalog, from: Table, to: Table): boolean {
  return catalog.foreignKeys.some((key) => key.fromTable === from.id && key.toTable === to.id);
}

/** `isNameOf('country', 'dim_countries')`. */
function isNameOf(stem: string, tableId: string): boolean {
  const tableName = fold(tableId.replace(TABLE_MARK, ''));
  return singular(tableName) === singular(stem);
}

/** `CustomerID`, `customer_id` and `Customer Id` are one name. */
function fold(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
}

function singular(name: string): string {
  const plain = name.replaceAll('_', '');
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(plain)) return plain.slice(0, -2);
  return plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain;
}

/** A link without a single value is not believed: empty tables agree with everything. */
async function isContained(database: Database, candidate: Candidate, signal?: AbortSignal): Promise<boolean> {
  const column = quoteName(candidate.column.name);
  const key = quoteName(candidate.key.name);
  const result = await database.query(
    `SELECT COUNT(*), SUM(CASE WHEN v NOT IN (SELECT t.${key} FROM ${quoteName(candidate.to.name)} AS t
       WHERE t.${key} IS NOT NULL) THEN 1 ELSE 0 END)
     FROM (SELECT DISTINCT s.${column} AS v FROM ${quoteName(candidate.from.name)} AS s
       WHERE s.${column} IS NOT NULL LIMIT ${COMPARED_VALUES}) AS sampled`,
    LIMITS,
    signal,
  );
  const [count, dangling] = result.rows[0] ?? [];
  return Number(count ?? 0) > 0 && Number(dangling ?? 0) <= DANGLING_SHARE * Number(count);
}

/** Links between tables that nobody declared: the names say so and the values agree. */

import type { Database, QueryLimits } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import { quoteName } from '../../sql/dialects/index.ts';
import type { Column, ForeignKey, KeyOverlap, Table } from '../schema/catalog.ts';
import { tableName } from '../schema/table-names.ts';
import { type KeyCandidate, KeyIndex } from './key-index.ts';

/** Rows that the compared values are taken from, and distinct values compared per link. */
const COMPARED_ROWS = 100_000;
const COMPARED_VALUES = 1_000;
/** Comparisons in one statement, and in all: a bound for databases of any size. */
const CHECKS_AT_ONCE = 20;
const MOST_CHECKS = 50_000;
/** Real tables have a few dangling references; more of them means another kind of number. */
const DANGLING_SHARE = 0.05;
/** Names that agree do not agree by chance, as small numbers do: a list of things need not be complete. */
const DANGLING_NAMES = 0.7;
const LIMITS: QueryLimits = { rows: CHECKS_AT_ONCE, bytes: 100_000, timeoutMs: 60_000 };

/** What is looked through; `tables` is walked twice and its tables are not kept. */
export interface KeySource {
  readonly tables: () => Iterable<Table> | AsyncIterable<Table>;
  readonly foreignKeys: readonly ForeignKey[];
}

export interface InferredKeys {
  readonly foreignKeys: readonly ForeignKey[];
  /** Every pair of columns that was compared, accepted or not. */
  readonly overlaps: readonly KeyOverlap[];
  /** Pairs that names proposed and that were not compared, because there were too many. */
  readonly uncheckedCount: number;
}

interface Checked {
  readonly candidate: KeyCandidate;
  readonly overlap: KeyOverlap;
}

/** Finds links for columns without a declared key, to tables that have one column as their key. */
export async function inferForeignKeys(
  database: Database,
  source: KeySource,
  signal?: AbortSignal,
): Promise<InferredKeys> {
  const index = new KeyIndex();
  for await (const table of source.tables()) index.add(table);
  const declared = new Set(source.foreignKeys.flatMap(({ fromColumns }) => fromColumns));
  const linked = new Set(source.foreignKeys.map(({ fromTable, toTable }) => `${fromTable} ${toTable}`));
  const foreignKeys: ForeignKey[] = [];
  const overlaps: KeyOverlap[] = [];
  let proposedCount = 0;
  for await (const table of source.tables()) {
    if (table.kind !== 'table') continue;
    const proposed = table.columns
      .filter((column) => !declared.has(column.id) && hasValues(column))
      .flatMap((column) => index.candidates(table, column))
      .filter(({ to }) => !linked.has(`${table.id} ${to.table.id}`));
    const allowed = proposed.slice(0, Math.max(0, MOST_CHECKS - proposedCount));
    proposedCount += proposed.length;
    const checked = await compare(database, allowed, signal);
    overlaps.push(...checked.map(({ overlap }) => overlap));
    foreignKeys.push(...choose(checked));
  }
  return { foreignKeys, overlaps, uncheckedCount: Math.max(0, proposedCount - MOST_CHECKS) };
}

/** A link without a single value is not believed: empty tables agree with everything. */
function hasValues({ profile }: Column): boolean {
  return profile === undefined || profile.nullCount < (profile.countedRows ?? profile.scannedRows);
}

/** The one target of each column that its values agree with. */
function choose(checked: readonly Checked[]): ForeignKey[] {
  const accepted = checked.filter(
    ({ candidate, overlap: { share, comparedValues } }) =>
      comparedValues > 0 && 1 - share <= (isByName(candidate) ? DANGLING_NAMES : DANGLING_SHARE),
  );
  return [...new Set(accepted.map(({ candidate }) => candidate.column.id))].flatMap((id) => {
    const own = accepted.filter(({ candidate }) => candidate.column.id === id);
    const named = own.filter(({ candidate }) => candidate.isNamedAfterTable);
    const choices = named.length > 0 ? named : own;
    const [choice] = choices;
    // Two equally good targets are a guess; a wrong join is worse than none.
    if (choice === undefined || choices.length > 1) return [];
    const { from, to } = choice.candidate;
    return [
      {
        fromTable: from.id,
        fromColumns: [id],
        toTable: to.table.id,
        toColumns: [to.column.id],
        source: 'inferred' as const,
        confidence: confidenceOf(choice),
      },
    ];
  });
}

/** Both columns are called `state_name`, and one of them tells states apart. */
function isByName({ column, to }: KeyCandidate): boolean {
  const name = column.name.toLowerCase();
  return !to.isDeclared && /[^_ ][_ ]?name$/.test(name) && name === to.column.name.toLowerCase();
}

/** Names weigh half, values a third, types and a declared key the rest; weights by judgement, not fitted. */
function confidenceOf({ candidate, overlap }: Checked): number {
  const { column, to, isNamedAfterTable } = candidate;
  const name = isNamedAfterTable ? 0.5 : 0.4;
  // The numbers 1 to 3 are in every key: few values agree by chance.
  const values = 0.3 * overlap.share * Math.min(1, overlap.comparedValues / 20);
  const type = column.type.toLowerCase() === to.column.type.toLowerCase() ? 0.1 : 0;
  const key = to.isDeclared ? 0.1 : 0;
  return Math.round(Math.min(0.99, name + values + type + key) * 100) / 100;
}

async function compare(
  database: Database,
  candidates: readonly KeyCandidate[],
  signal: AbortSignal | undefined,
): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (let start = 0; start < candidates.length; start += CHECKS_AT_ONCE) {
    const part = candidates.slice(start, start + CHECKS_AT_ONCE);
    checked.push(...(await compareAtOnce(database, part, signal)));
  }
  return checked;
}

/** A pair whose types the engine cannot compare is no link; it must not hide the others of its statement. */
async function compareAtOnce(
  database: Database,
  part: readonly KeyCandidate[],
  signal: AbortSignal | undefined,
): Promise<Checked[]> {
  try {
    const sql = part.map((candidate, index) => overlapSql(database, candidate, index)).join(' UNION ALL ');
    const { rows } = await database.query(sql, LIMITS, signal);
    return rows.flatMap(([index, compared, dangling]): Checked[] => {
      const candidate = part[Number(index)];
      if (candidate === undefined) return [];
      const comparedValues = Number(compared ?? 0);
      const share = comparedValues === 0 ? 0 : 1 - Number(dangling ?? 0) / comparedValues;
      const { column, to } = candidate;
      const overlap = { fromColumn: column.id, toColumn: to.column.id, share, comparedValues };
      return [{ candidate, overlap }];
    });
  } catch (error) {
    if (!(error instanceof CandorError) || error.code !== 'database.query-failed') throw error;
    if (part.length === 1) return [];
    const parts: Checked[] = [];
    for (const candidate of part) parts.push(...(await compareAtOnce(database, [candidate], signal)));
    return parts;
  }
}

/** Distinct values of the first rows, and how many of them the key does not have. */
function overlapSql({ dialect }: Database, { from, column, to }: KeyCandidate, index: number): string {
  const name = quoteName(column.name, dialect);
  const key = `k.${quoteName(to.column.name, dialect)}`;
  const rows = `SELECT t.${name} AS v FROM ${tableName(from, dialect)} AS t WHERE t.${name} IS NOT NULL LIMIT ${COMPARED_ROWS}`;
  const values = `SELECT DISTINCT r.v FROM (${rows}) AS r LIMIT ${COMPARED_VALUES}`;
  return `SELECT ${index} AS i, COUNT(DISTINCT s.v) AS n, SUM(CASE WHEN ${key} IS NULL THEN 1 ELSE 0 END) AS dangling
    FROM (${values}) AS s LEFT JOIN ${tableName(to.table, dialect)} AS k ON ${key} = s.v`;
}

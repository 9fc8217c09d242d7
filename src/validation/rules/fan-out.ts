/** Sums over rows that a join repeats: `SUM(order.total)` beside the lines of the order. */

import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Scope, Source } from '../../sql/scope/index.ts';
import { ancestor, type SqlNode, walk } from '../../sql/tree/index.ts';
import type { Problem } from './problem.ts';

/** COUNT is left out: who counts over a join most often means its rows. */
const REPEATED: ReadonlySet<string> = new Set(['Sum', 'Avg']);

/**
 * Certain only: a key of the other table leads to this one, so that many of its rows have one here, and the query
 * neither groups by that table nor picks rows of it.
 */
export function findFanOuts(query: ReadQuery, schema: SchemaFacts): readonly Problem[] {
  return query.tree.nodes.flatMap((node): Problem[] => {
    if (!REPEATED.has(node.type)) return [];
    const summed = summedSource(node, query);
    if (summed === undefined) return [];
    const repeating = summed.scope.sources.find(
      (source) => source !== summed.source && repeats(source, summed, query, schema),
    );
    if (repeating === undefined) return [];
    const sum = query.tree.text.slice(node.start, node.end);
    const text = `${sum} adds rows of ${summed.source.name} once for each row of ${repeating.name} that is joined to them`;
    return [
      { kind: 'fan-out', severity: 'warning', span: { start: node.start, end: node.end }, text, instead: [] },
    ];
  });
}

interface Summed {
  readonly source: Source;
  readonly scope: Scope;
}

/** `SUM(a = 'x')` and `SUM(CASE …)` count rows of the join, and mean to. */
const COUNTING: ReadonlySet<string> = new Set(
  'Distinct Select Case If EQ NEQ GT GTE LT LTE Like In Between And Or'.split(' '),
);

/** The one table whose columns are summed; undefined with DISTINCT, or where another table has a part in it. */
function summedSource(call: SqlNode, { scopes }: ReadQuery): Summed | undefined {
  let found: Summed | undefined;
  for (const node of walk(call)) {
    if (COUNTING.has(node.type)) return undefined;
    if (node.type !== 'Column') continue;
    const reference = scopes.references[node.id];
    if (reference?.kind !== 'column' || reference.source.table === undefined) return undefined;
    if (found !== undefined && found.source !== reference.source) return undefined;
    found = { source: reference.source, scope: reference.scope };
  }
  return found;
}

function repeats(other: Source, { source, scope }: Summed, query: ReadQuery, schema: SchemaFacts): boolean {
  const [here, there] = [source.table?.id, other.table?.id];
  if (here === undefined || there === undefined || here === there || scope.query.type !== 'Select')
    return false;
  const many = schema.catalog.foreignKeys.find(
    ({ fromTable, toTable, source: said }) => fromTable === there && toTable === here && said !== 'inferred',
  );
  if (many === undefined || isUnique(many.fromColumns, there, schema)) return false;
  return isJoinedBy(many, { source, other }, query) && !isPicked(other, query);
}

/** A primary key within the columns makes them unique. */
function isUnique(columns: readonly string[], table: string, schema: SchemaFacts): boolean {
  const key = schema.tables.get(table)?.primaryKey ?? [];
  return key.length === 0 || key.every((id) => columns.includes(id));
}

interface Joined {
  readonly source: Source;
  readonly other: Source;
}

function isJoinedBy(
  {
    fromColumns,
    toColumns,
  }: { readonly fromColumns: readonly string[]; readonly toColumns: readonly string[] },
  { source, other }: Joined,
  { tree, scopes }: ReadQuery,
): boolean {
  const isOf = (node: SqlNode | undefined, one: Source, id: string | undefined): boolean => {
    const reference = node && scopes.references[node.id];
    return (
      reference?.kind === 'column' && reference.source === one && reference.lineage.physical[0]?.id === id
    );
  };
  return fromColumns.every((from, at) =>
    tree.nodes.some(({ type, children: [left, right] }) => {
      if (type !== 'EQ') return false;
      const to = toColumns[at];
      return (
        (isOf(left, other, from) && isOf(right, source, to)) ||
        (isOf(right, other, from) && isOf(left, source, to))
      );
    }),
  );
}

/** Whether the query says anything of the other table but how it is joined: shows it, groups by it, picks its rows. */
function isPicked(other: Source, { tree, scopes }: ReadQuery): boolean {
  return tree.nodes.some((node) => {
    const reference = scopes.references[node.id];
    if (reference?.kind !== 'column' || reference.source !== other) return false;
    return ancestor(node, ({ type }) => type === 'Join' || type === 'Select')?.type !== 'Join';
  });
}

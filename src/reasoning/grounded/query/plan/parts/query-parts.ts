/** The parts that every query is put together from. */
import { type Column, epochUnit, type Table } from '../../../../../catalog/index.ts';
import type { Cause, Expression, FromTable } from '../../../../../sql/index.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { SchemaGraph } from '../../graph/schema-graph.ts';

/** The clauses a query does not use. */
export const BARE = {
  kind: 'select' as const,
  distinct: false,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
};

/** Joins a query of one row to every row. */
export const ALWAYS = [
  { left: { kind: 'literal' as const, value: 1 }, right: { kind: 'literal' as const, value: 1 } },
];

/** The words that caused a part; a part without words is assumed, a loose match uncertain. */
export function cause(mention: Mention | undefined, why: string, score = 1): Cause {
  return {
    mention: mention?.index,
    why,
    certainty: mention === undefined ? 'assumed' : isLoose(mention, score) ? 'uncertain' : 'stated',
  };
}

/** Matched by a part of a name, or by a word that may mean another thing. */
function isLoose({ relatedWeight }: Mention, score: number): boolean {
  return score < 0.75 || relatedWeight !== undefined;
}

/** A column as the engine spells it; one that counts time since 1970, as the moment. */
export function columnExpression(column: Column, graph: SchemaGraph, because?: Cause): Expression {
  const { name: table } = graph.table(column.tableId);
  const unit = epochUnit(column);
  if (unit === undefined) return { kind: 'column', table, column: column.name, cause: because };
  const argument: Expression = { kind: 'column', table, column: column.name };
  return { kind: 'from-epoch', perSecond: unit.perSecond, argument, cause: because };
}

/** A table of the catalog as FROM or JOIN reads it. */
export function fromTable({ name, qualifier }: Table, because?: Cause): FromTable {
  return {
    table: name,
    ...(qualifier === undefined ? {} : { qualifier }),
    ...(because === undefined ? {} : { cause: because }),
  };
}

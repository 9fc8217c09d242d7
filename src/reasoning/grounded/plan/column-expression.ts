import { type Column, epochUnit } from '../../../catalog/index.ts';
import type { Cause, Expression } from '../../../sql/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { SchemaGraph } from './schema-graph.ts';

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

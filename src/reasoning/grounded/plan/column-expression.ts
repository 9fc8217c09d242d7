import type { Column } from '../../../catalog/index.ts';
import type { Cause, Expression } from '../../../sql/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { SchemaGraph } from './schema-graph.ts';

/** The words that caused a part; a part without words is assumed, a loose match uncertain. */
export function cause(mention: Mention | undefined, why: string, score = 1): Cause {
  return {
    mention: mention?.index,
    why,
    certainty: mention === undefined ? 'assumed' : score < 0.75 ? 'uncertain' : 'stated',
  };
}

/** A column as the engine spells it. */
export function columnExpression(column: Column, graph: SchemaGraph, because?: Cause): Expression {
  return { kind: 'column', table: graph.table(column.tableId).name, column: column.name, cause: because };
}

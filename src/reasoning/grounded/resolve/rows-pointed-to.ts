import type { Column } from '../../../catalog/index.ts';
import type { Mention } from '../mention/mention.ts';
import { splitName } from '../read/split-name.ts';
import { displayColumns } from './display-columns.ts';
import { type ResolveContext, tableChoices } from './noun-candidates.ts';

/**
 * "customers" where only `master_customer_id` of a linking table is called so: a number tells nobody who they are, so the rows
 * that it points to are shown by their name. Undefined where the key itself is asked for, the rows have no name, or two keys lead there.
 */
export function rowsPointedTo(
  noun: Mention | undefined,
  column: Column,
  { graph, displayColumn }: ResolveContext,
): readonly Column[] | undefined {
  if (noun !== undefined && KEY.test(noun.text)) return undefined;
  if (column.family !== 'number' || splitName(column.name).at(-1) !== 'id') return undefined;
  const edges = graph.edges(column.tableId).filter(({ multiplies }) => !multiplies);
  const own = edges.find(({ fromColumns: [first, second] }) => first === column.id && second === undefined);
  if (own === undefined || own.to === column.tableId) return undefined;
  // Where the rows have a table of that name, it is a reading of its own.
  const isNamed =
    noun !== undefined &&
    tableChoices(noun).some(({ tableId, score }) => tableId === own.to && score >= NAMED);
  if (isNamed) return undefined;
  if (edges.some((edge) => edge !== own && edge.to === own.to)) return undefined;
  const names = displayColumns(graph.table(own.to), displayColumn(own.to));
  return names.every(({ family }) => family === 'text') ? names : undefined;
}

/** Tables named worse than this may be meant or not. */
const NAMED = 0.85;
const KEY = /\b(?:ids?|codes?|numbers?|keys?|identifiers?|nos?)\b/i;

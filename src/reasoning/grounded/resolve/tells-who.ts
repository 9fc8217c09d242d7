import type { Column } from '../../../catalog/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { SchemaGraph } from '../plan/schema-graph.ts';
import { splitName } from '../read/split-name.ts';
import type { Bound } from './bound.ts';
import { displayColumns } from './display-columns.ts';

/** The question opens with "who", so that people are asked for. */
export function asksWho([first]: readonly Mention[]): boolean {
  return /^who(?:m|'s|s)?$/i.test(first?.text ?? '');
}

/** "who works in oil and gas?" is not told by a year, a code or the number of a row: what is shown is a name, or points to whoever it is. */
export function tellsWho({ projections }: Bound, graph: SchemaGraph): boolean {
  return projections.some(
    ({ column, aggregate }) => aggregate !== undefined || column === undefined || mayName(column, graph),
  );
}

function mayName(column: Column, graph: SchemaGraph): boolean {
  const points = graph
    .edges(column.tableId)
    .some(
      ({ multiplies, fromColumns: [key], to }) => !multiplies && key === column.id && hasNames(to, graph),
    );
  return points || (column.family === 'text' && !NO_NAME.test(splitName(column.name).at(-1) ?? ''));
}

/** An appointment has a number and no name: whoever it points to is nobody. */
function hasNames(tableId: string, graph: SchemaGraph): boolean {
  return displayColumns(graph.table(tableId)).every(({ family }) => family === 'text');
}

const NO_NAME = /^(?:code|date|time|status|type|year|number|id|amount|price|phone|email|address)$/;

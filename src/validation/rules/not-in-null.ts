/** NOT IN over a list that holds NULL: `id NOT IN (SELECT manager_id FROM employee)` finds no row at all. */

import type { SchemaFacts } from '../../faults/index.ts';
import { isCondition, type ReadQuery, unwrapped } from '../../faults/reading/index.ts';
import { child, childrenIn, type SqlNode, textOf } from '../../sql/tree/index.ts';
import type { Problem } from './problem.ts';

/**
 * Certain only: the list is a whole column of one table, nothing leaves rows of it out, and NULL was seen in it. It
 * stands where NULL is as good as false, so that no row passes.
 */
export function findNotInNulls(query: ReadQuery, schema: SchemaFacts): readonly Problem[] {
  return query.tree.nodes.flatMap((not): Problem[] => {
    if (not.type !== 'Not' || !isCondition(not)) return [];
    const condition = child(not, 'this');
    const within = condition && unwrapped(condition);
    const column = within?.type === 'In' ? wholeColumn(within, query) : undefined;
    if (within === undefined || column === undefined || !holdsNull(column, query, schema)) return [];
    const name = textOf(query.tree, column);
    const text = `${textOf(query.tree, not)} is never true, since ${name} holds NULL: no row passes. Add WHERE ${name} IS NOT NULL to the subquery, or write NOT EXISTS`;
    return [
      {
        kind: 'not-in-null',
        severity: 'warning',
        span: { start: not.start, end: not.end },
        text,
        instead: [],
      },
    ];
  });
}

/** The one column that the subquery of an IN lists, as it is stored. */
function wholeColumn(within: SqlNode, { scopes }: ReadQuery): SqlNode | undefined {
  const subquery = child(within, 'query');
  const select = subquery && child(subquery, 'this');
  if (select?.type !== 'Select' || subquery?.children.length !== 1) return undefined;
  if (!keepsValues(select)) return undefined;
  const [listed, ...others] = childrenIn(select, 'expressions');
  if (listed === undefined || others.length > 0) return undefined;
  const column = listed.type === 'Alias' ? child(listed, 'this') : listed;
  const reference = column && scopes.references[column.id];
  if (reference?.kind !== 'column' || reference.fields.length > 0) return undefined;
  const { source } = reference;
  const isPlain = source.node.children.every(({ role }) => PLAIN.has(role));
  return isPlain && source.node.parent?.parent === select ? column : undefined;
}

/** A SELECT with nothing else gives each value of its column; DISTINCT ON (…), which has parts, does not. */
function keepsValues({ children }: SqlNode): boolean {
  return children.every(
    ({ role, children: parts }) =>
      role === 'expressions' || role === 'from' || (role === 'distinct' && parts.length === 0),
  );
}

/** What a table in FROM may have and still give all its rows. */
const PLAIN: ReadonlySet<string> = new Set(['catalog', 'db', 'this', 'alias']);

function holdsNull(column: SqlNode, { scopes }: ReadQuery, schema: SchemaFacts): boolean {
  const reference = scopes.references[column.id];
  const origin = reference?.kind === 'column' ? reference.output.origin : undefined;
  if (origin?.kind !== 'schema') return false;
  return (schema.columns.get(origin.column.id)?.profile?.nullCount ?? 0) > 0;
}

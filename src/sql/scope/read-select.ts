/** One SELECT: its sources first, then its list, then the clauses that may name the aliases of the list. */
import { child, type SqlNode } from '../tree/node.ts';
import type { Clause } from './name-rules.ts';
import { openScope } from './open-scope.ts';
import { readExpression } from './read-expression.ts';
import { readFrom, readWaiting } from './read-from.ts';
import { readProjection } from './read-projection.ts';
import { readWith } from './read-with.ts';
import { emptyLevel, type Frame, openLevel, type Place, type Reading } from './reading.ts';
import type { Columns } from './scope.ts';

export function readSelect(reading: Reading, select: SqlNode, frame: Frame): Columns {
  const scope = openScope(reading, select, frame);
  const ctes = readWith(reading, select, { parent: scope, outer: frame.outer, ctes: frame.ctes });
  const level = openLevel(scope, frame.outer);
  const place: Place = { level, ctes };
  const waiting = readFrom(reading, select, place);
  level.clause = 'select';
  scope.outputs = readProjection(reading, select, place);
  readWaiting(reading, waiting, place);
  for (const clause of select.children) readClause(reading, clause, place);
  return scope.outputs;
}

/** Clauses besides WITH, FROM, joins and the list. */
const CLAUSES: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  // PostgreSQL reads DISTINCT ON by the rules of ORDER BY.
  ['distinct', 'order'],
  ['where', 'where'],
  ['group', 'group'],
  ['having', 'having'],
  ['windows', 'window'],
  ['qualify', 'qualify'],
  ['order', 'order'],
]);

function readClause(reading: Reading, node: SqlNode, place: Place): void {
  const clause = CLAUSES.get(node.role);
  if (clause !== undefined) {
    place.level.clause = clause;
    if (clause === 'group' || clause === 'order') readTerms(reading, node, place);
    else readExpression(reading, node, place);
  } else if (node.role === 'limit' || node.role === 'offset') readLimit(reading, node, place);
}

/** Around a term of GROUP BY or ORDER BY; below them a name is the whole term. */
const TERM_LISTS: ReadonlySet<string> = new Set([
  'Order',
  'Ordered',
  'Group',
  'Rollup',
  'Cube',
  'GroupingSets',
  'Distinct',
  'Tuple',
  'Paren',
  'Collate',
]);

/** Reads terms so that a bare name among them is known to be one. */
export function readTerms(reading: Reading, node: SqlNode, place: Place): void {
  if (TERM_LISTS.has(node.type)) {
    for (const part of node.children) readTerms(reading, part, place);
    return;
  }
  const before = place.level.bareTerm;
  place.level.bareTerm = node;
  readExpression(reading, node, place);
  place.level.bareTerm = before;
}

/** LIMIT sees no columns. */
export function readLimit(reading: Reading, node: SqlNode, { level, ctes }: Place): void {
  readExpression(reading, node, { level: emptyLevel(level.scope, undefined), ctes });
}

/** The ORDER BY and LIMIT of a set operation, of VALUES or of brackets, which name output columns. */
export function readEnd(reading: Reading, query: SqlNode, place: Place): void {
  const order = child(query, 'order');
  if (order !== undefined) readTerms(reading, order, place);
  for (const part of query.children) {
    if (part.role === 'limit' || part.role === 'offset') readLimit(reading, part, place);
  }
}

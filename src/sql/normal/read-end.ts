/** ORDER BY, LIMIT and OFFSET: what ends a query. */

import type { DialectName } from '../dialects/dialect.ts';
import { child, childrenIn, type SqlNode } from '../tree/node.ts';
import type { NamedItem } from './names.ts';
import type { OrderPart, Part } from './normal-form.ts';
import { isStar, withoutBrackets } from './query-nodes.ts';
import type { Keying } from './scalar-keys.ts';

export interface End {
  readonly order: readonly OrderPart[];
  readonly limit: Part | undefined;
  readonly offset: Part | undefined;
  /** As it stands at the end of the query's key. */
  readonly key: string;
}

export function readEnd(keying: Keying, query: SqlNode | undefined, items: readonly NamedItem[]): End {
  if (query === undefined) return { order: [], limit: undefined, offset: undefined, key: '' };
  const order = readOrder(keying, child(query, 'order'), items);
  const limits = childrenIn(query, 'limit');
  const limit = firstOf(limits, (node) => limitPart(keying, node));
  const offset =
    firstOf(limits, (node) => offsetPart(keying, child(node, 'offset'))) ??
    offsetPart(keying, child(query, 'offset'));
  return { order, limit, offset, key: endKey(order, limit, offset) };
}

function firstOf(nodes: readonly SqlNode[], read: (node: SqlNode) => Part | undefined): Part | undefined {
  for (const node of nodes) {
    const part = read(node);
    if (part !== undefined) return part;
  }
  return undefined;
}

function readOrder(
  keying: Keying,
  order: SqlNode | undefined,
  items: readonly NamedItem[],
): readonly OrderPart[] {
  if (order === undefined) return [];
  return childrenIn(order, 'expressions').flatMap((node) => {
    const term = child(node, 'this');
    if (term === undefined) return [];
    return { key: termKey(keying, term, items), node, direction: orderDirection(node, keying.tree.dialect) };
  });
}

/** `LIMIT 5`, `FETCH FIRST 5 ROWS ONLY`, `TOP 5` and the last number of `LIMIT 10, 5` are one; LIMIT ALL is none. */
function limitPart(keying: Keying, node: SqlNode): Part | undefined {
  const count = child(node, 'expression') ?? child(node, 'count');
  if (count === undefined && node.type !== 'Fetch') return undefined;
  const marks = `${node.flags.percent ? ' percent' : ''}${node.flags.ties ? ' with ties' : ''}`;
  return { key: `${count === undefined ? '1' : keying.keyOf(keying, count)}${marks}`, node };
}

/** OFFSET 0 is none. */
function offsetPart(keying: Keying, node: SqlNode | undefined): Part | undefined {
  if (node === undefined) return undefined;
  const count = node.type === 'Offset' ? child(node, 'expression') : node;
  const key = count === undefined ? '0' : keying.keyOf(keying, count);
  return key === '0' ? undefined : { key, node };
}

function endKey(order: readonly OrderPart[], limit: Part | undefined, offset: Part | undefined): string {
  const terms = order.map(({ key, direction }) => key + direction);
  return [
    terms.length > 0 ? ` order by ${terms.join(', ')}` : '',
    limit === undefined ? '' : ` limit ${limit.key}`,
    offset === undefined ? '' : ` offset ${offset.key}`,
  ].join('');
}

/** A term of ORDER BY or GROUP BY; a number there stands for the item at that place. */
export function termKey(keying: Keying, term: SqlNode, items: readonly NamedItem[]): string {
  const place = withoutBrackets(term);
  const isNumber = place.type === 'Literal' && place.flags.string === undefined;
  const index = isNumber ? Number(place.value) - 1 : -1;
  const item = Number.isInteger(index) ? items[index] : undefined;
  // A star before it stands for several columns, so that the count is off.
  const isCounted = item !== undefined && items.slice(0, index + 1).every(({ node }) => !isStar(node));
  return isCounted ? item.key : keying.keyOf(keying, term);
}

// Which way an ORDER BY term sorts, when it is not the way it would sort anyway.

/** Where NULLs go when nothing is said: as the smallest or largest of values, or last either way. */
const NULLS: Readonly<Record<DialectName, 'smallest' | 'largest' | 'last'>> = {
  sqlite: 'smallest',
  mysql: 'smallest',
  bigquery: 'smallest',
  postgres: 'largest',
  snowflake: 'largest',
  duckdb: 'last',
  trino: 'last',
};

/** ` desc`, ` nulls first` and both; empty for the default. */
export function orderDirection({ flags }: SqlNode, dialect: DialectName): string {
  const isDescending = flags.desc !== undefined;
  const first = isDescending ? 'largest' : 'smallest';
  const usual = NULLS[dialect] === first ? 'first' : 'last';
  const nulls = flags.nulls === undefined || flags.nulls === usual ? '' : ` nulls ${flags.nulls}`;
  return `${isDescending ? ' desc' : ''}${nulls}`;
}

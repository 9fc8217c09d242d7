/** LIMIT, OFFSET, FETCH and TOP in the target's form. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, type SqlNode } from '../../tree/node.ts';
import { as, build, numberNode } from '../built-node.ts';
import { plainNumber } from '../read-interval.ts';
import type { Translation } from '../translation.ts';

interface Limits {
  readonly count: SqlNode | undefined;
  readonly offset: SqlNode | undefined;
}

/** Children of the query for its limits, in the order the target wants them. */
export function translateLimits(query: SqlNode, translation: Translation): readonly PrintableNode[] {
  const { to, translate } = translation;
  const { count, offset } = readLimits(query, translation);
  const limit = count === undefined ? missingCount(offset, to) : translate(count);
  const first = limit === undefined ? [] : [as('limit', build('Limit', [as('expression', limit)]))];
  if (offset === undefined) return first;
  const second = as('offset', build('Offset', [as('expression', translate(offset))]));
  return to === 'trino' ? [second, ...first] : [...first, second];
}

function readLimits(query: SqlNode, { unsupported, to }: Translation): Limits {
  const limit = child(query, 'limit');
  const offset = child(query, 'offset');
  const start = (limit && child(limit, 'offset')) ?? (offset && child(offset, 'expression'));
  if (limit?.flags.ties !== undefined) unsupported('syntax', limit, `${to} has no WITH TIES`);
  if (limit?.flags.percent !== undefined) unsupported('syntax', limit, `${to} has no limit in percent`);
  const count = limit && (child(limit, 'expression') ?? child(limit, 'count'));
  if (limit?.type === 'Fetch' && count === undefined) {
    unsupported('syntax', limit, `${to} wants the number of rows`);
  }
  // SQLite's negative limit is none.
  const isNone = count !== undefined && (plainNumber(count)?.startsWith('-') ?? false);
  return { count: isNone ? undefined : count, offset: start };
}

/** Where OFFSET needs a LIMIT before it: more rows than there can be. */
const ALL_ROWS: Readonly<Record<string, string>> = {
  sqlite: '-1',
  mysql: '18446744073709551615',
  bigquery: '9223372036854775807',
};

function missingCount(offset: SqlNode | undefined, to: string): PrintableNode | undefined {
  if (offset === undefined) return undefined;
  if (to === 'snowflake') return build('Null');
  const all = ALL_ROWS[to];
  return all === undefined ? undefined : numberNode(all);
}

/** ORDER BY: where NULL stands when nothing says it. */
import type { DialectName } from '../../dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { ancestor, child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { allAs, as, build } from '../built-node.ts';
import type { Rules, Translation } from '../translation.ts';

export const ORDER_RULES: Rules = {
  Order: (node, translation) =>
    build(
      'Order',
      allAs(
        'expressions',
        node.children.flatMap((item) => translateOrdered(item, translation)),
      ),
    ),
};

/** NULL as the smallest value, as the largest, or last in either direction. */
const NULL_PLACES: Readonly<Record<DialectName, 'smallest' | 'largest' | 'last'>> = {
  sqlite: 'smallest',
  mysql: 'smallest',
  bigquery: 'smallest',
  postgres: 'largest',
  snowflake: 'largest',
  duckdb: 'last',
  trino: 'last',
};

function translateOrdered(node: SqlNode, translation: Translation): readonly PrintableNode[] {
  const { from, to, translate } = translation;
  const value = child(node, 'this');
  if (value === undefined) return [];
  const isDescending = node.flags.desc !== undefined;
  const wanted = node.flags.nulls ?? defaultNulls(from, isDescending);
  const desc = isDescending ? { desc: 'true' } : {};
  const isSame = wanted === defaultNulls(to, isDescending) || isNeverNull(value);
  if (isSame) return [ordered(translate(value), desc)];
  if (to !== 'mysql') return [ordered(translate(value), { ...desc, nulls: wanted })];
  return mysqlOrdered(value, { desc, wanted }, translation);
}

function defaultNulls(dialect: DialectName, isDescending: boolean): 'first' | 'last' {
  const place = NULL_PLACES[dialect];
  if (place === 'last') return 'last';
  return (place === 'smallest') === isDescending ? 'last' : 'first';
}

function ordered(value: PrintableNode, flags: PrintableNode['flags']): PrintableNode {
  return build('Ordered', [as('this', value)], { flags });
}

/** MySQL cannot say it, but can order by `x IS NULL` first; a place in the list or a union has no such form. */
function mysqlOrdered(
  value: SqlNode,
  { desc, wanted }: { readonly desc: PrintableNode['flags']; readonly wanted: string },
  { translate, changed }: Translation,
): readonly PrintableNode[] {
  const query = ancestor(value, ({ type }) => ['Select', 'Union', 'Intersect', 'Except'].includes(type));
  const isPlaced =
    value.type === 'Literal' || (query?.type !== 'Select' && value.parent?.parent?.parent === query);
  const isDistinct = query !== undefined && child(query, 'distinct') !== undefined;
  if (isPlaced || isDistinct) {
    changed('nulls', value, `mysql puts NULL ${wanted === 'first' ? 'last' : 'first'} here`);
    return [ordered(translate(value), desc)];
  }
  const isNull = build('Is', [as('this', translate(value)), as('expression', build('Null'))]);
  return [ordered(isNull, wanted === 'first' ? { desc: 'true' } : {}), ordered(translate(value), desc)];
}

const NEVER_NULL: ReadonlySet<string> = new Set([
  'Count',
  'RowNumber',
  'Rank',
  'DenseRank',
  'CountIf',
  'Rand',
]);

/** Counts and ranks, directly or by their alias. */
function isNeverNull(value: SqlNode): boolean {
  if (value.type === 'Window' || value.type === 'Paren') {
    const inner = child(value, 'this');
    return inner !== undefined && isNeverNull(inner);
  }
  if (NEVER_NULL.has(value.type)) return true;
  const name = value.type === 'Column' && value.children.length === 1 ? value.children[0]?.value : undefined;
  const select = value.parent?.parent?.parent;
  if (name === undefined || select?.type !== 'Select' || value.parent?.parent?.role !== 'order') return false;
  const named = childrenIn(select, 'expressions').find(
    (item) => item.type === 'Alias' && child(item, 'alias')?.value?.toLowerCase() === name.toLowerCase(),
  );
  const expression = named && child(named, 'this');
  return expression !== undefined && NEVER_NULL.has(expression.type);
}

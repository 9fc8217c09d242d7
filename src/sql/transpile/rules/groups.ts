/** GROUP BY: ALL, ROLLUP, and columns of the list. */
import type { DialectName } from '../../dialect.ts';
import type { PrintableNode } from '../../print/printable.ts';
import { child, childrenIn, type SqlNode } from '../../tree/node.ts';
import { hasAggregate } from '../aggregate-types.ts';
import { as, build } from '../built-node.ts';
import { copy } from '../copy-node.ts';
import type { Translation } from '../translation.ts';

const HAS_ALL: ReadonlySet<DialectName> = new Set(['duckdb', 'snowflake', 'bigquery']);

export function translateGroup(node: SqlNode, translation: Translation): PrintableNode | undefined {
  const { to, translate } = translation;
  if (node.flags.all !== undefined && !HAS_ALL.has(to)) return groupByEach(node, translation);
  const last = node.children.at(-1);
  const isOneRollup = last?.type === 'Rollup' && last.children.length > 0 && node.children.length === 1;
  if (isOneRollup && to === 'mysql') {
    return build('Group', [...last.children.map(translate), as('expressions', build('Rollup'))]);
  }
  const isTail = last?.type === 'Rollup' && last.children.length === 0;
  if (!isTail || to === 'mysql') return copy(node, translation);
  if (to === 'sqlite') {
    translation.unsupported('syntax', last, 'sqlite has no ROLLUP');
    return build('Group', node.children.slice(0, -1).map(translate));
  }
  const rollup = build('Rollup', node.children.slice(0, -1).map(translate));
  return build('Group', [as('expressions', rollup)]);
}

/** GROUP BY ALL means every item of the list without an aggregate. */
function groupByEach(node: SqlNode, { to, unsupported, translate }: Translation): PrintableNode {
  const items = node.parent === undefined ? [] : childrenIn(node.parent, 'expressions');
  const grouped = items.filter((item) => !hasAggregate(item));
  if (grouped.some(isStar)) unsupported('syntax', node, `${to} has no GROUP BY ALL, and the list has a star`);
  const keys = grouped.map((item) => {
    const value = item.type === 'Alias' ? child(item, 'this') : item;
    return as('expressions', translate(value ?? item));
  });
  return build('Group', keys);
}

function isStar(item: SqlNode): boolean {
  return item.type === 'Star' || (item.type === 'Column' && item.children.at(-1)?.type === 'Star');
}

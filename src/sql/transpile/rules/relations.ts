/** FROM and joins. */
import type { PrintableNode } from '../../print/printable.ts';
import { child, childrenIn, type SqlNode, walk } from '../../tree/node.ts';
import { build, copy } from '../translation/built-node.ts';
import type { Rules, Translation } from '../translation/translation.ts';

export const RELATION_RULES: Rules = {
  From: copy,
  Join: translateJoin,
};

function translateJoin(node: SqlNode, translation: Translation): PrintableNode {
  const { translate } = translation;
  reportJoin(node, translation);
  reportLaterTable(node, translation);
  const { method, side, kind, comma } = node.flags;
  const parts = node.children.map(translate);
  const hasCondition = child(node, 'on') !== undefined || child(node, 'using') !== undefined;
  if (comma !== undefined) {
    return isCommaBeforeJoin(node, translation)
      ? build('Join', parts, { flags: { kind: 'CROSS' } })
      : build('Join', parts, { flags: { comma } });
  }
  const isPlain = side === undefined && method === undefined;
  if (isPlain && !hasCondition) return build('Join', parts, { flags: { kind: 'CROSS' } });
  const isLoose = kind === 'STRAIGHT' || (kind === 'CROSS' && hasCondition);
  const flags = { method, side, kind: isLoose ? undefined : kind };
  return build('Join', parts, {
    flags: Object.fromEntries(Object.entries(flags).filter(([, word]) => word !== undefined)),
  });
}

/**
 * A comma binds looser than JOIN everywhere but in SQLite: `a, b JOIN c ON c.x = a.x` sees `a` only there. CROSS JOIN
 * stands in its row with the others.
 */
function isCommaBeforeJoin(node: SqlNode, { from, to }: Translation): boolean {
  if (from !== 'sqlite' || to === 'sqlite' || node.parent === undefined) return false;
  const joins = childrenIn(node.parent, 'joins');
  return joins.slice(joins.indexOf(node) + 1).some(({ flags }) => flags.comma === undefined);
}

/** SQLite lets a condition name a table that is joined only after it. */
function reportLaterTable(node: SqlNode, { from, to, unsupported }: Translation): void {
  const on = child(node, 'on');
  if (from !== 'sqlite' || to === 'sqlite' || on === undefined || node.parent === undefined) return;
  const joins = childrenIn(node.parent, 'joins');
  const later = new Set(joins.slice(joins.indexOf(node) + 1).map(nameOfTable));
  const early = [...walk(on)].find((column) => {
    const table = column.type === 'Column' ? child(column, 'table') : undefined;
    return table !== undefined && later.has((table.value ?? '').toLowerCase());
  });
  if (early !== undefined) unsupported('syntax', early, `${to} knows a table only behind its JOIN`);
}

function nameOfTable(join: SqlNode): string {
  const table = child(join, 'this');
  const alias = table && child(table, 'alias');
  return (
    (alias && child(alias, 'this')?.value) ??
    (table && child(table, 'this')?.value) ??
    ''
  ).toLowerCase();
}

function reportJoin(node: SqlNode, { to, unsupported }: Translation): void {
  const { method, side, kind } = node.flags;
  if (side === 'FULL' && to === 'mysql') unsupported('syntax', node, 'mysql has no FULL JOIN');
  if (method === 'NATURAL' && to === 'bigquery') unsupported('syntax', node, 'bigquery has no NATURAL JOIN');
  if (method === 'ASOF' || method === 'POSITIONAL')
    unsupported('syntax', node, `${to} has no ${method} JOIN`);
  if (kind === 'SEMI' || kind === 'ANTI') unsupported('syntax', node, `${to} has no ${kind} JOIN`);
}

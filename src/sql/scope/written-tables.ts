import type { SqlTree } from '../tree/node.ts';

const NAME_ROLES: ReadonlySet<string> = new Set(['catalog', 'db', 'this']);

/** The names that stand where a query reads tables, with what is written before them: `['sales.orders', 'recent']`. */
export function writtenTables(tree: SqlTree): readonly string[] {
  const names = new Set<string>();
  for (const { type, children } of tree.nodes) {
    if (type !== 'Table') continue;
    const parts = children.filter((part) => part.type === 'Identifier' && NAME_ROLES.has(part.role));
    if (parts.length > 0) names.add(parts.map(({ value = '' }) => value).join('.'));
  }
  return [...names];
}

import type { StatementLimits } from './statement-limits.ts';
import type { SqlNode } from './tree/node.ts';

/** How many there are of what is limited in a tree. */
export type TreeSize = Readonly<Pick<StatementLimits, 'tables' | 'ctes' | 'columns'>>;

export function sizeOfTree(nodes: readonly SqlNode[]): TreeSize {
  let [tables, ctes, columns] = [0, 0, 0];
  for (const { type, children } of nodes) {
    if (type === 'From' || type === 'Join') tables += 1;
    else if (type === 'CTE') ctes += 1;
    // Columns of USING are a list too.
    if (type === 'Select' || type === 'Join') {
      const isItem = type === 'Select' ? 'expressions' : 'using';
      const items = children.reduce((count, { role }) => (role === isItem ? count + 1 : count), 0);
      columns = Math.max(columns, items);
    }
  }
  return { tables, ctes, columns };
}

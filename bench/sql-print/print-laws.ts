/** Whether printing keeps what was parsed, query by query. */
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { parse } from '../../src/sql/parser/parse.ts';
import { printTree } from '../../src/sql/print/print-tree.ts';
import type { SqlNode } from '../../src/sql/tree/node.ts';

export interface LawFinding {
  /** Absent when the query does not parse or is no query. */
  readonly printed: string | undefined;
  readonly isSameShape: boolean;
  readonly isFixpoint: boolean;
}

/** Prints and parses again: the tree must be the same, and printing it again give the same text. */
export function checkLaws(sql: string, dialect: DialectName): LawFinding {
  const parsed = parse(sql, dialect);
  if (!parsed.ok || parsed.tree.root.type === 'Command') {
    return { printed: undefined, isSameShape: false, isFixpoint: false };
  }
  const printed = printTree(parsed.tree);
  const again = parse(printed, dialect);
  if (!again.ok) return { printed, isSameShape: false, isFixpoint: false };
  return {
    printed,
    isSameShape: isSameShape(parsed.tree.root, again.tree.root),
    isFixpoint: printTree(again.tree) === printed,
  };
}

function isSameShape(left: SqlNode, right: SqlNode): boolean {
  return (
    left.type === right.type &&
    left.role === right.role &&
    left.value === right.value &&
    JSON.stringify(Object.entries(left.flags).sort()) ===
      JSON.stringify(Object.entries(right.flags).sort()) &&
    left.children.length === right.children.length &&
    left.children.every((child, index) => isSameShape(child, right.children[index] as SqlNode))
  );
}

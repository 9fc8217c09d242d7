/** Literals that columns are compared with. */
import { child, type SqlNode } from '../../../../sql/index.ts';
import { type Site, textAt } from '../site.ts';

export interface ComparedLiteral {
  readonly node: SqlNode;
  readonly value: string;
  readonly isText: boolean;
  /** The same literal with another value, in the quotes it stands in. */
  readonly write: (value: string) => string;
}

const COMPARING: ReadonlySet<string> = new Set(
  'EQ NEQ GT GTE LT LTE Like ILike Glob In Between Is'.split(' '),
);

/** In SQLite a text may stand in double quotes, where the tree has a Column. */
export function comparedLiterals({ tree, scopes }: Site): readonly ComparedLiteral[] {
  return tree.nodes.flatMap((node): ComparedLiteral[] => {
    if (node.parent === undefined || !COMPARING.has(node.parent.type)) return [];
    const isText = node.type === 'Literal' && node.flags.string !== undefined;
    const isNamed = node.type === 'Column' && scopes.references[node.id]?.kind === 'text';
    const value = isNamed ? child(node, 'this')?.value : node.value;
    if (value === undefined || (node.type !== 'Literal' && !isNamed)) return [];
    if (!isText && !isNamed) return [{ node, value, isText: false, write: (text: string) => text }];
    const quote = isNamed ? '"' : "'";
    const write = (text: string): string => quote + text.replaceAll(quote, quote + quote) + quote;
    return [{ node, value, isText: true, write }];
  });
}

/** What stands between two parts of an operator: `>`, `NOT LIKE`. */
export function between(site: Site, left: SqlNode, right: SqlNode): string {
  return site.tree.text.slice(left.end, right.start);
}

/** Text of an operand that keeps its meaning beside any operator. */
export function operandText(site: Site, node: SqlNode): string {
  const isPlain = node.children.length === 0 || ['Column', 'Paren', 'Subquery'].includes(node.type);
  const isCall = node.flags.call !== undefined;
  return isPlain || isCall ? textAt(site, node) : `(${textAt(site, node)})`;
}

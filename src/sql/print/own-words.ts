/** Finds what a node says in its source beyond the nodes below it, and whether printing it says that too. */
import { lexSql, type Token } from '../dialects/lex-sql.ts';
import type { NodeType } from '../tree/node-types.ts';
import type { Part, PrintableNode, PrintContext, Source } from './printable.ts';

/** Words that add nothing to what the node of this type records, or that are the default. */
const EMPTY_WORDS: Readonly<Partial<Record<NodeType, string>>> = {
  Select: 'ALL',
  Distinct: 'DISTINCTROW',
  Union: 'DISTINCT',
  Intersect: 'DISTINCT',
  Except: 'DISTINCT MINUS',
  Ordered: 'ASC',
  Between: 'ASYMMETRIC',
  Offset: 'ROW ROWS',
  Fetch: 'FIRST NEXT ROW ROWS ONLY',
  And: '&&',
  Or: '||',
  Mod: 'MOD',
  Pow: '**',
  RegexpLike: 'RLIKE REGEXP',
  Like: '~~',
  ILike: '~~*',
  // NULL of `x NOTNULL` and the name of a bare WITH OFFSET stand on words that say more than they.
  Null: 'ISNULL NOTNULL',
  Identifier: 'WITH',
};

const EMPTY: ReadonlyMap<NodeType, ReadonlySet<string>> = new Map(
  Object.entries(EMPTY_WORDS).map(([type, words]) => [type, new Set((words ?? '').split(' '))]),
);

/** Marks that only hold together what the nodes say. */
const PUNCTUATION: ReadonlySet<string> = new Set(['(', ')', ',', ';', '.', '[', ']', '{', '}']);

/** The source's words of `node` outside of the nodes `below` that the parts do not print, in upper case. */
export function unprintedWords(
  node: PrintableNode,
  parts: readonly Part[],
  context: PrintContext,
): readonly string[] {
  const { source, dialect } = context;
  if (source === undefined) return [];
  const below = parts.filter((part): part is PrintableNode => typeof part !== 'string');
  const written = ownTokens(source, node, below).map(wordOf).filter(isMeaningful);
  if (written.length === 0) return [];
  const printed = new Set(ownTextOf(parts).flatMap((text) => lexSql(text, dialect).map(wordOf)));
  const empty = EMPTY.get(node.type);
  return written.filter((word) => !printed.has(word) && word !== 'AS' && empty?.has(word) !== true);
}

/** Significant tokens of the node's source that belong to none of the nodes below it. */
export function ownTokens(
  { tokens }: Source,
  node: PrintableNode,
  below: readonly PrintableNode[],
): readonly Token[] {
  const found: Token[] = [];
  const end = node.end ?? 0;
  const inside = inTextOrder(below);
  let next = 0;
  for (let at = firstFrom(tokens, node.start ?? 0); at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (token.start >= end) break;
    while (next < inside.length && (inside[next]?.end ?? 0) <= token.start) next += 1;
    const child = inside[next];
    if (child !== undefined && token.end > (child.start ?? 0)) {
      at = Math.max(at, firstFrom(tokens, child.end ?? 0) - 1);
    } else if (token.kind !== 'space' && token.kind !== 'comment') found.push(token);
  }
  return found;
}

export function inTextOrder(nodes: readonly PrintableNode[]): readonly PrintableNode[] {
  return [...nodes].sort((left, right) => (left.start ?? 0) - (right.start ?? 0));
}

/** Place of the first token that begins at the offset or after it. */
export function firstFrom(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ownTextOf(parts: readonly Part[]): readonly string[] {
  return parts.filter((part): part is string => typeof part === 'string');
}

function wordOf(token: Token): string {
  return token.kind === 'word' ? token.text.toUpperCase() : token.text;
}

function isMeaningful(word: string): boolean {
  return !PUNCTUATION.has(word);
}

/** What we do not hand to the parser: its memory is small and a too deep tree kills it. */
import type { Token } from './lex-sql.ts';

/** Longest SQL text in UTF-16 units; an IN list of 20,000 ids still fits. */
export const MAX_SQL_LENGTH = 250_000;
/** Open brackets at one place. The parser itself stops at about 45, or 22 nested subqueries. */
const MAX_DEPTH = 100;
/** Operators that may pile up on one place of the tree; from about 750 the parser's memory breaks. */
const MAX_CHAIN = 600;
/** Set operations; each makes the tree one deeper. */
const MAX_SET_OPERATIONS = 300;

const CHAIN_WORDS = new Set(
  'and or not is in like ilike glob regexp rlike match between collate similar escape isnull notnull at'.split(
    ' ',
  ),
);
const SET_WORDS = new Set(['union', 'except', 'intersect', 'minus']);
const RESET_WORDS = new Set(
  'select from where having group order limit on when then else values join qualify window'.split(' '),
);

/** The first place that is over a limit, with the reason for a person. */
export interface Excess {
  readonly offset: number;
  readonly message: string;
}

/** Looks for too much nesting or chaining in significant tokens, before any parser sees the text. */
export function findExcess(tokens: readonly Token[]): Excess | undefined {
  const chains: number[] = [0];
  let pending = 0;
  let setOperations = 0;
  for (const token of tokens) {
    const kind = chainKind(token);
    if (kind === 'open') chains.push(0);
    if (kind === 'close' && chains.length > 1) pending -= chains.pop() ?? 0;
    if (kind === 'reset') {
      pending -= chains.at(-1) ?? 0;
      chains[chains.length - 1] = 0;
    }
    if (kind === 'link' || kind === 'open') {
      pending += 1;
      chains[chains.length - 1] = (chains.at(-1) ?? 0) + 1;
    }
    if (kind === 'set') setOperations += 1;
    const message = excessMessage(chains.length - 1, pending, setOperations);
    if (message) return { offset: token.start, message };
  }
  return undefined;
}

function excessMessage(depth: number, chained: number, setOperations: number): string | undefined {
  if (depth > MAX_DEPTH) return `brackets are nested more than ${MAX_DEPTH} deep`;
  if (chained > MAX_CHAIN) return `more than ${MAX_CHAIN} operators are chained; use IN (…) for long lists`;
  if (setOperations > MAX_SET_OPERATIONS) return `more than ${MAX_SET_OPERATIONS} set operations`;
  return undefined;
}

type ChainKind = 'open' | 'close' | 'reset' | 'link' | 'set' | 'none';

function chainKind(token: Token): ChainKind {
  if (token.kind === 'word') {
    const word = token.text.toLowerCase();
    // The parser counts brackets itself, but not CASE inside CASE.
    if (word === 'case') return 'open';
    if (word === 'end') return 'close';
    if (SET_WORDS.has(word)) return 'set';
    if (RESET_WORDS.has(word)) return 'reset';
    return CHAIN_WORDS.has(word) ? 'link' : 'none';
  }
  // SQLite writes a name in square brackets; there the lexer has already made one token of it.
  if (token.kind !== 'operator') return 'none';
  if (token.text === '(' || token.text === '[' || token.text === '{') return 'open';
  if (token.text === ')' || token.text === ']' || token.text === '}') return 'close';
  if (token.text === ',' || token.text === ';') return 'reset';
  return token.text === '.' || token.text === '*' ? 'none' : 'link';
}

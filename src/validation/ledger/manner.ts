/** How, what for and how long something is done, said at the end of a clause by words that are little elsewhere. */
import type { Ledger } from './ledger.ts';
import { wordAt } from './verbs.ts';

/** "a commission in writing", "customers who ordered Chai to go", "living in Germany for a while". */
export function isManner(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const next = tokens[from + 1]?.kind ?? 'stop';
  if (next !== 'stop' && next !== 'comma') return false;
  const word = wordAt(tokens, from);
  const before = wordAt(tokens, from - 1);
  if (word === 'while') return before === 'a';
  if (/ing$/.test(word)) return /^(?:in|by|without)$/.test(before);
  return before === 'to' && content.has(from - 2) && !isAmongOthers(from, tokens);
}

/** "the first student to register", "the only artist to win": which of those who did. */
function isAmongOthers(from: number, tokens: Ledger['asked']['tokens']): boolean {
  const before = tokens.slice(Math.max(0, from - WORDS_BEFORE), from);
  return before.some(({ lower }) => /^(?:first|second|third|last|latest|earliest|next|only)$/.test(lower));
}

const WORDS_BEFORE = 5;

import type { Token } from '../../reasoning/index.ts';

/** A question word that follows "and" or a comma stands shortly before: "in which city and in which year". */
export function isAskedBesides(at: number, tokens: readonly Token[]): boolean {
  for (let place = at - 1; place >= Math.max(1, at - NEAR); place -= 1) {
    const { lower = '', kind } = tokens[place] ?? {};
    if (kind === 'comma' || kind === 'stop' || lower === 'and') return false;
    if (/^(?:which|what|where|when)$/.test(lower)) return opensAnother(place, lower, tokens);
  }
  return false;
}

/** Words between a question word and what it asks for: "what does it produce". */
const NEAR = 4;

/** "singers, which are": behind a comma alone it may only go on with what was said. */
function opensAnother(place: number, word: string, tokens: readonly Token[]): boolean {
  const hasPreposition = /^(?:in|on|at|with|by|for|from|to|of)$/.test(tokens[place - 1]?.lower ?? '');
  const before = tokens[place - (hasPreposition ? 2 : 1)];
  if (before?.lower === 'and') return true;
  return before?.kind === 'comma' && (hasPreposition || word !== 'which');
}

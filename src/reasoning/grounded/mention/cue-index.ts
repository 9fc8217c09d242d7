import type { Token } from '../read/tokenise.ts';
import { type Cue, LEXICON } from './lexicon.ts';

interface CueMatch {
  readonly length: number;
  readonly cue: Cue;
}

const MAX_WORDS = 6;

const cues: ReadonlyMap<string, Cue> = new Map(LEXICON.map((entry) => [entry.phrase, entry.cue]));

/** What a phrase does to the query, in whatever case it is written. */
export function cueOf(phrase: string): Cue | undefined {
  return cues.get(phrase.toLowerCase());
}

/** The structure phrases that begin at a token, longest first. */
export function cuesAt(tokens: readonly Token[], index: number): CueMatch[] {
  const found: CueMatch[] = [];
  let phrase = '';
  for (let length = 1; length <= MAX_WORDS; length++) {
    const token = tokens[index + length - 1];
    if (token === undefined || token.kind === 'quoted' || token.kind === 'stop' || token.kind === 'comma')
      break;
    // The country, not the pronoun.
    if (token.text === 'US') break;
    phrase += (length > 1 ? ' ' : '') + token.lower;
    const cue = cues.get(phrase);
    // "above 300 and below 190" compares twice; "300 and below" stands behind its number.
    const isTaken = cue?.kind === 'compare' && cue.isPostfix && tokens[index + length]?.kind === 'number';
    if (cue !== undefined && !isTaken && !(phrase === 'ordered' && isDone(tokens, index)))
      found.unshift({ length, cue });
  }
  return found;
}

/** "customers ordered a latte": what they did, and no order of the rows. */
function isDone(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokens[index - 1], tokens[index + 1]];
  if (before?.kind !== 'word' || next === undefined || /^(?:is|are|be|and|then|them)$/.test(before.lower))
    return false;
  if (/^(?:an?|the|any|some|no|nothing|more|fewer|less|at|only)$/.test(next.lower)) return true;
  return (next.kind === 'word' || next.kind === 'quoted') && !cues.has(next.lower) && !/ly$/.test(next.lower);
}

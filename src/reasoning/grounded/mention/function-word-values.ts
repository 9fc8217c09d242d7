import type { Token } from '../read/tokenise.ts';
import type { ValueMatch } from './mention.ts';
import type { NameIndex } from './name-index.ts';

/** Words that hold a sentence together; codes such as IN, ME, OR, ON, HI and names such as Other are spelt like them. */
const FUNCTION_WORDS = new Set(
  `a about above across after against ago all already also am among an and any are around as at be because been before being below
  between both but by can could did do does done down during each either else ever every few for from had has have he hello her here
  hey hi him his how i if in into is it its just last least less like many may me might mine more most much must my near neither never
  next no none nor not now of off ok on once one only onto or other others our out over own per please same shall she should since so
  some such than thanks that the their them then there these they this those through till to together too under until up upon us very
  via day days week weeks month months year years hour hours minute minutes quarter quarters was we were what when where which while who whom whose why will with within without would yes yet you your`.split(
    /\s+/,
  ),
);

/**
 * What a function word stands for as a stored value: nothing, unless capitals or quotes mark it, or the name of its column stands
 * right before it and the sentence ends there ("the state in", "carrier other"). Other words and phrases keep what they may stand for.
 */
export function withoutFunctionWords(
  values: readonly ValueMatch[],
  tokens: readonly Token[],
  from: number,
  length: number,
  names: NameIndex,
): readonly ValueMatch[] {
  const [word, before, after] = [tokens[from], tokens[from - 1], tokens[from + length]];
  if (word === undefined) return values;
  if (length === 1 && isVerbPlace(word, before, after))
    return values.filter(({ value }) => value === word.text);
  if (!isFunctionWord(tokens, from, length)) return values;
  if (isMarked(word, from, tokens)) return values;
  const ends = after === undefined || after.kind === 'stop' || after.kind === 'comma';
  const lead = before?.kind === 'word' && ends ? names.match([before.lower]) : [];
  return values.filter(({ columnId, tableId }) =>
    lead.some(({ kind, id, tableId: of }) => id === columnId || (kind === 'dimension' && of === tableId)),
  );
}

/** "tracks that belong to", "airports that run": between "that" and the rest, and before "to", stands a verb, whoever is called so. */
function isVerbPlace(word: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (word.kind !== 'word' || word.text !== word.lower) return false;
  const isRelative = before?.kind === 'word' && /^(?:that|who|which)$/.test(before.lower);
  const isTied = /^belong(?:s|ed|ing)?$/.test(word.lower) && after?.lower === 'to';
  return isRelative || isTied;
}

export function isFunctionWord(tokens: readonly Token[], from: number, length: number): boolean {
  const word = tokens[from];
  return length === 1 && word?.kind === 'word' && FUNCTION_WORDS.has(word.lower);
}

/** In capitals among words that are not, or with one where no sentence begins. */
function isMarked({ text, lower }: Token, from: number, tokens: readonly Token[]): boolean {
  if (text === lower) return false;
  const isShouted = tokens.every((token) => token.kind !== 'word' || token.text === token.text.toUpperCase());
  if (isShouted) return false;
  if (text.length > 1 && text === text.toUpperCase()) return true;
  return from > 0 && tokens[from - 1]?.kind !== 'stop';
}

import type { Mention } from './mention.ts';

/**
 * Words that nothing explains and that narrow or measure: an answer without them answers another question.
 * A verb between two things is left out ("students enrolled in courses"), since keys tell the same; a participle
 * that describes ("cancelled orders", "orders that were delivered") is not.
 */
export function unexplainedWords(mentions: readonly Mention[], used: ReadonlySet<number>): Mention[] {
  return mentions.filter(
    (mention) =>
      (mention.isUnknown || mention.relatedWeight !== undefined) &&
      !used.has(mention.index) &&
      (!mention.isVerbLike || describes(mention, mentions)),
  );
}

function describes(mention: Mention, mentions: readonly Mention[]): boolean {
  // "the rating of the albums": what stands before "of" is a thing.
  if (/ing$/i.test(mention.text) && mentions[mention.index + 1]?.cue?.kind === 'of') return true;
  if (!/(?:ed|en|wn|ld)$/i.test(mention.text)) return false;
  const before = mentions[mention.index - 1];
  const after = mentions[mention.index + 1];
  const isAttribute =
    // "have posted reviews" posts them, "posted reviews" are such.
    before?.cue?.kind !== 'have' &&
    after?.cue === undefined &&
    (after?.nouns[0]?.score ?? 0) >= 0.85 &&
    !/^(?:who|that|which|they)$/i.test(before?.text ?? '');
  const ends = after === undefined || after.isSentenceEnd || after.isComma || after.time !== undefined;
  const isState =
    before?.text === 'been' ||
    before?.cue?.kind === 'be' ||
    before?.cue?.kind === 'have' ||
    before?.cue?.kind === 'not';
  // "where Chinese is spoken": the verb ties a value to the things, it does not narrow them.
  const isOfValue = (mentions[mention.index - 2]?.values.length ?? 0) > 0;
  return isAttribute || (isState && ends && !isOfValue);
}

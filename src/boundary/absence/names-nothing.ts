import { isEnglish } from '../../reasoning/index.ts';

/** Words that every question has and no database need store: that they name nothing says nothing of the data. */
const NAMELESS =
  /^(?:(?:last|next|this|past|current|previous|first|second|third|most|least|more|less|better|best|worse|worst|time|times|date|dates|beginning|start|end|right|still|ever|never|already|actually|currently|just|also|too|sorry|please|thanks|hello|hi|hey|today|yesterday|tomorrow|now|ago|since|until|during|before|after|(?:sec|min)onds?|minutes?|hours?|days?|nights?|weeks?|weekdays?|weekends?|months?|quarters?|years?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|and|or|not|no|only|than|why|when|where|who|how|what|which|will|would|can|could|should|did|do|does|is|are|was|were|be|been|have|has|had|it|its|they|them|their|we|our|us|you|your|i|my|me|the|an?|of|in|on|at|by|to|from|for|with|without)|\d+(?:st|nd|rd|th)?)$/i;

/** Pronouns of quantity and place, conjunctions, prepositions and fillers; and what stands for the rows themselves. */
const FILLERS = new Set(
  `nobody everybody anybody somebody noone everyone anyone someone nothing something anything everything none neither either
   such another others anywhere somewhere everywhere nowhere here there whatever whichever whoever whomever wherever whenever
   however because although though unless whether while whereas despite except besides if then else so as but versus vs
   stuff thing things lot lots bit bits kind kinds sort sorts way ways whole overall altogether together otherwise instead
   basically kindly okay ok yes well anyway anymore maybe perhaps yet again even quite rather very really simply
   people folks folk guys guy person persons one ones number numbers amount amounts any some all every each both same own
   behind beyond above below under over between among across through along around near off up down out into onto upon within
   throughout per via about against like`.split(/\s+/),
);

const CONTRACTION =
  /^(?:i|we|you|they|he|she|it|that|there|who|what|where|how|here|let|don|doesn|didn|isn|aren|wasn|weren|won|can|couldn|wouldn|haven|hasn|hadn)[’'](?:ve|s|re|ll|d|m|t)$/;

/** Whether nothing could be called by the word, in whatever database: it is never what a refusal is about. */
export function namesNothing(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    NAMELESS.test(lower) ||
    FILLERS.has(lower) ||
    CONTRACTION.test(lower) ||
    /^\p{L}?$/u.test(lower) ||
    isAdverbOfManner(lower)
  );
}

/** Words that say when, or are of structure: they are known, and only their place is not. */
export function isNameless(phrase: string): boolean {
  return phrase.split(/\s+/).every((word) => NAMELESS.test(word));
}

/** The words without those at either end that could name nothing; empty where there are no others. */
export function tellingPart(phrase: string): string {
  const words = phrase.split(/\s+/);
  const isTelling = (word: string): boolean => !namesNothing(word);
  const first = words.findIndex(isTelling);
  return first < 0 ? '' : words.slice(first, words.findLastIndex(isTelling) + 1).join(' ');
}

/** “directly”, “happily”, “simply”: the lexicon has the adjective and not the adverb, which “family” and “yearly” are not. */
function isAdverbOfManner(lower: string): boolean {
  if (!/^[a-z]{3,}ly$/.test(lower) || isEnglish(lower)) return false;
  const base = lower.slice(0, -2);
  return [base, base.replace(/i$/, 'y'), `${base}le`, base.replace(/al$/, '')].some(isEnglish);
}

/** The words of a question: tokens, times, units, cues. */

export { type Cue, cuesAt } from './mention/lexicon.ts';
export { isRelationVerb, isVerbLike } from './mention/sentence-words.ts';
export { timeGrain } from './read/calendar.ts';
export { findTimes, type TimeWindow } from './read/find-times.ts';
export { nearestWord, otherSpellings } from './read/spellings.ts';
export { type Token, tokenise } from './read/tokenise.ts';
export { type Unit, unitNamed } from './read/units.ts';

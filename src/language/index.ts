/** About words and names; it knows no schema and no database. */

export { isParticiple, lemmaOf, porterStem, singularOf, stemOf } from './inflection.ts';
export {
  LANGUAGE_ASKED_WORDS,
  LANGUAGE_LETTERS,
  LANGUAGE_SCRIPTS,
  LANGUAGE_STOP_WORDS,
} from './languages.ts';
export { numberWord, ordinalNumber } from './number-words.ts';
export {
  columnLikeness,
  editDistance,
  mayAbbreviate,
  nameLikeness,
  nearestNames,
} from './similarity.ts';
export { breakWords, nameWords, splitName, wholeWords } from './split-words.ts';
export { isStopWord } from './stop-words.ts';
export { oppositeOf, synonymsOf, synonymsOfWord } from './synonyms.ts';

/** About words and names; it knows no schema and no database. */

export { lemmaOf, porterStem, singularOf, stemOf } from './inflection.ts';
export { numberWord, ordinalNumber } from './number-words.ts';
export {
  columnLikeness,
  editDistance,
  mayAbbreviate,
  nameLikeness,
  nearestNames,
} from './similarity.ts';
export { breakWords, nameWords, splitName, wholeWords } from './split-words.ts';
export { oppositeOf, synonymsOf, synonymsOfWord } from './synonyms.ts';

export { abbreviates, shortForms } from './abbreviations.ts';
export {
  baseForms,
  isEnglish,
  isInField,
  isMostlyVerb,
  isOnlyName,
  namesOfSame,
  rarityOf,
} from './english.ts';
export { type RelatedWord, relatedWords, relationBetween } from './related-words.ts';

export { abbreviates } from './abbreviations.ts';
export { isEnglish, rarityOf } from './english.ts';
export { type RelatedWord, relatedWords, relationBetween } from './related-words.ts';

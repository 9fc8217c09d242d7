/** The index of stored values. */

export { foldedWords, foldValue } from './fold-value.ts';
export { keywordsOf } from './keywords.ts';
export { openValueIndex } from './open-value-index.ts';
export { buildValueIndex, type ValueIndex } from './value-index.ts';

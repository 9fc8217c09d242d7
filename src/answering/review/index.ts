/** Queries that people bring: reviewed, fixed, corrected. */

export { mendWithModel } from './fix-with-model.ts';
export { DEFAULT_TARGET_RISK, type Repair, type Review, reviewQuery } from './review-query.ts';
export { replacedWords, saveCorrection } from './save-correction.ts';

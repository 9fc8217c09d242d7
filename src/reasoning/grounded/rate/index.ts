/** Which of several readings is likely, by trained models. */

export { type AskedModels, namedPlaces, readAsked } from './asked.ts';
export { makeCandidates, type ReadQuestion } from './candidate.ts';
export { openRatingModels, PROJECT_RATING_FILE, RATING_FILES } from './open-rating-models.ts';
export { type QueryTraits, queryTraits, SHAPE_PARTS, type ShapePart } from './query-traits.ts';
export { mentionContext, mentionRole, questionGrams, questionSymbols } from './question-features.ts';
export { type RatingModels, rateRow } from './rate-candidates.ts';
export { READING_FEATURES, readingFeatures } from './reading-features.ts';

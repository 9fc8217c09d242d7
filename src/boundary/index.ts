/** What can be answered, what must be asked back, what is refused. */
export {
  type AboutWords,
  type AbsenceSources,
  askAboutWord,
  askAboutWords,
  type NotUnderstood,
  searchWord,
  stateAbsence,
} from './absence/index.ts';
export {
  type AmbiguityOptions,
  type AmbiguousChoice,
  type AmbiguousPart,
  findAmbiguity,
  type Likeness,
} from './ambiguity/index.ts';
export { askAboutUnread, type Decision, decide } from './decide.ts';
export { groupReadings, type ReadingGroup } from './group-readings.ts';
export { BEYOND, type LearnedBoundary, scoreBy } from './learned/learned-boundary.ts';
export {
  LEARNED_BOUNDARY_FILE,
  readLearnedBoundary,
  writeLearnedBoundary,
} from './learned/learned-boundary-file.ts';
export { maskedWords, questionFeatures } from './learned/question-features.ts';
export { type Meaning, type MeaningSchema, meaningKey, meaningOf } from './meaning-of.ts';
export { type AskedBack, type MergedAnswer, mergeAnswer } from './merge-answer.ts';
export { normaliseQuestion } from './normalise-question.ts';
export { poolLabelled } from './pool-labelled.ts';
export { precheck } from './precheck.ts';
export type { Request } from './request.ts';
export { beyondLearned, type IsBeyond } from './rules/beyond-learned.ts';
export { type CarrierSearch, searchCarrier } from './search-carrier.ts';
export { type Weighed, type WeighingContext, weighReadings } from './weigh-readings.ts';
export { replaceWords } from './word-pattern.ts';

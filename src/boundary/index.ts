/** What can be answered, what must be asked back, what is refused. */
export {
  askAboutWord,
  searchWord,
  stateAbsence,
} from './absence/index.ts';
export { findAmbiguity } from './ambiguity/index.ts';
export { askAboutUnread, type Decision, decide } from './decide.ts';
export {
  BEYOND,
  type LearnedBoundary,
  maskedWords,
  questionFeatures,
  scoreBy,
} from './learned/learned-boundary.ts';
export {
  LEARNED_BOUNDARY_FILE,
  readLearnedBoundary,
  writeLearnedBoundary,
} from './learned/learned-boundary-file.ts';
export { mergeAnswer } from './merge-answer.ts';
export { precheck } from './precheck.ts';
export type { Request } from './question/normalise-question.ts';
export { normaliseQuestion } from './question/normalise-question.ts';
export { replaceWords } from './question/word-pattern.ts';
export { poolLabelled } from './readings/group-readings.ts';
export { weighReadings } from './readings/weigh-readings.ts';
export { beyondLearned, type IsBeyond } from './rules/beyond-learned.ts';
export { searchCarrier } from './search-carrier.ts';

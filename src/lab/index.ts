/** Evaluation and its data. Only the command line imports it; gold SQL never leaves it. */
export {
  type EvaluationCase,
  type ReadSuiteOptions,
  readSuite,
  SUITE_NAMES,
  type Suite,
  type SuiteName,
  type SuitePlaces,
} from './corpus/index.ts';
export {
  type AskCase,
  type CaseRecord,
  compareRuns,
  type Half,
  openSuiteSession,
  type RunComparison,
  type RunSuiteOptions,
  renderComparison,
  renderSuite,
  runSuite,
  type SuiteProgress,
  type SuiteReport,
  type SuiteSession,
  type SuiteSessionOptions,
  type SuiteSummary,
  summariseSuite,
} from './evaluation/index.ts';

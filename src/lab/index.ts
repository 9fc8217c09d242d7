/**
 * Evaluation and its data. The command line imports it, and the server for the tests of a project; gold SQL never reaches what
 * answers.
 */

export {
  type EvaluationCase,
  questionFile,
  readSuite,
  resolvePlaces,
  SUITE_NAMES,
  type Suite,
  type SuiteName,
  type SuitePlaces,
} from './corpus/index.ts';
export { type AdaptedEngine, adaptEngine } from './engine/adapt-engine.ts';
export { type TrainedEngine, trainEngine } from './engine/train-engine.ts';
export { openPairSet, openTrainingSet } from './engine/training-set.ts';
export { writeEngine } from './engine/write-engine.ts';
export {
  type Arm,
  type CaseRecord,
  compareRuns,
  type Half,
  openRubricJudge,
  openSuiteSession,
  type RubricJudge,
  type RunProgress,
  readRecords,
  renderComparison,
  renderSuite,
  runSuite,
  type SuiteReport,
  summariseSuite,
} from './evaluation/index.ts';
export {
  ABLATION_NAMES,
  ABLATIONS,
  findLinker,
  LINK_SET_NAMES,
  LINKER_NAMES,
  type LinkerName,
  type LinkReport,
  type LinkSet,
  type LinkSetName,
  readAblations,
  readLinkSet,
  renderLinkReport,
  runLinkSet,
  summariseLinkReport,
} from './linking/index.ts';
export {
  openScorer,
  type RewardMeans,
  type RewardReport,
  type ScoreItem,
  type Scorer,
  scoreRows,
  startRewardServer,
} from './reward/index.ts';
export {
  ALTERED_SUITE_NAMES,
  type AlteredReport,
  type AlteredSuite,
  readAlteredSuite,
  readWordList,
  renderAltered,
  runAltered,
  summariseAltered,
} from './suites/altered/index.ts';
export {
  type AmbiguityReport,
  type AmbiguitySplit,
  runAmbiguity,
} from './suites/ambiguity/index.ts';
export { learnBoundary } from './suites/answerable/learn-boundary.ts';
export { type AnswerableMetrics, measureAnswerable } from './suites/answerable/measure-answerable.ts';
export { questionFilesIn, readEhrsql, readLabelled } from './suites/answerable/read-labelled.ts';
export {
  type BoundaryReport,
  boundaryFigures,
  renderBoundary,
  runBoundary,
} from './suites/boundary/index.ts';
export { renderBroken, runBroken, summariseBroken } from './suites/broken/index.ts';
export {
  renderConversations,
  runConversations,
  summariseConversations,
} from './suites/conversation/index.ts';
export {
  renderReadings,
  runReadingsSuite,
  summariseReadings,
} from './suites/readings/index.ts';
export {
  type BuildReport,
  buildBench,
  CATEGORIES,
  EXPORT_FORMATS,
  type ExportFormat,
  type RefineReport,
  readBench,
  readInventory,
  refineBench,
  SPLITS,
  type Split,
  toQuestion,
  toTrainingLine,
} from './synthesis/index.ts';
export {
  type CaseResult,
  checkNamedItems,
  faultsOfRun,
  findTestFiles,
  isBad,
  type Problem,
  parseTestFile,
  proposeUpdates,
  type RowDifference,
  readTestFile,
  renderJunit,
  runTests,
  type ShareFigure,
  selectTests,
  summariseTests,
  type TestCase,
  type TestRun,
  type TestSummary,
  type TurnResult,
  type Update,
  writeUpdates,
} from './testing/index.ts';
export {
  EXPERIMENT_NAMES,
  type ExperimentName,
  experimentMetrics,
  plotExperiments,
  renderExperiments,
  runExperiments,
} from './uncertainty/index.ts';
export type { OwnPair } from './uncertainty/training/own-rows.ts';
export { type Retrained, retrain } from './uncertainty/training/retrain.ts';

/**
 * Evaluation and its data. The command line imports it, and the server for the tests of a project; gold SQL never reaches what
 * answers.
 */

export {
  ALTERED_SUITE_NAMES,
  type AlteredReport,
  type AlteredSuite,
  readAlteredSuite,
  readWordList,
  renderAltered,
  runAltered,
  summariseAltered,
  type WordList,
} from './altered/index.ts';
export {
  type AmbiguityReport,
  type AmbiguitySplit,
  runAmbiguity,
} from './ambiguity/index.ts';
export type { LabelledQuestion } from './answerable/labelled-question.ts';
export { LEAST_LABELLED, type LearntBoundary, learnBoundary } from './answerable/learn-boundary.ts';
export { type AnswerableMetrics, measureAnswerable } from './answerable/measure-answerable.ts';
export { readEhrsql } from './answerable/read-ehrsql.ts';
export { questionFilesIn, readLabelled } from './answerable/read-labelled.ts';
export { type BoundaryReport, boundaryFigures, renderBoundary, runBoundary } from './boundary/index.ts';
export {
  type EvaluationCase,
  type ReadSuiteOptions,
  readSuite,
  resolvePlaces,
  SUITE_NAMES,
  type Suite,
  type SuiteName,
  type SuitePlaces,
} from './corpus/index.ts';
export { type AdaptedEngine, adaptEngine, LEAST_PAIRS } from './engine/adapt-engine.ts';
export { openPairSet } from './engine/pair-set.ts';
export { type TrainedEngine, trainEngine } from './engine/train-engine.ts';
export { type EngineTrainingSet, openTrainingSet } from './engine/training-set.ts';
export { writeEngine } from './engine/write-engine.ts';
export {
  type Arm,
  type AskCase,
  type CaseRecord,
  compareRuns,
  type Half,
  openSuiteSession,
  type RunComparison,
  type RunSuiteOptions,
  readRecords,
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
export {
  type CaseLinker,
  findLinker,
  LINK_SET_NAMES,
  LINKER_NAMES,
  type LinkerName,
  type LinkReport,
  type LinkSetName,
  readLinkSet,
  renderLinkReport,
  runLinkSet,
  summariseLinkReport,
} from './linking/index.ts';
export {
  computeReward,
  type GoldKind,
  type ItemScore,
  openScorer,
  REWARD_CATEGORIES,
  REWARD_WEIGHTS,
  type Reward,
  type RewardCategory,
  type RewardDetail,
  type RewardFacts,
  type RewardMeans,
  type RewardOptions,
  type RewardReport,
  type RewardServer,
  type RewardServerSettings,
  type ScoreItem,
  type ScoreRowsOptions,
  type Scorer,
  type ScorerSetting,
  scoreRows,
  startRewardServer,
  type VirtualTable,
} from './reward/index.ts';
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
  type TestFile,
  type TestProgress,
  type TestRun,
  type TestSummary,
  type Thresholds,
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
export { type ModelChoice, type Retrained, retrain } from './uncertainty/training/retrain.ts';

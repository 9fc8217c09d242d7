export { type Arm, type CaseRecord, type CaseVerdict, readRecords } from './case-record.ts';
export { type ComparedResult, compareResults, type Verdict } from './comparators/index.ts';
export { type CaseChange, compareRuns, type RunComparison } from './compare-runs.ts';
export { computeMetrics, type Metrics } from './compute-metrics.ts';
export type { AskCase, CaseQuestion, ReadCase } from './evaluate-case.ts';
export { openSuiteSession, type SuiteSession, type SuiteSessionOptions } from './open-suite-session.ts';
export { renderComparison } from './render-comparison.ts';
export { renderSuite, type SuiteSummary, summariseSuite } from './render-suite.ts';
export {
  type RunSuiteOptions,
  runSuite,
  type SuiteProgress,
  type SuiteReport,
} from './run-suite.ts';
export type { Half } from './select-cases.ts';

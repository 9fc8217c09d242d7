export { type Arm, type CaseRecord, readRecords } from './case-record.ts';
export { compareResults } from './comparators/index.ts';
export { compareRuns, renderComparison } from './compare-runs.ts';

export type { AskCase } from './evaluate-case.ts';
export { openRubricJudge, type RubricJudge } from './judge-by-rubric.ts';
export { openSuiteSession } from './open-suite-session.ts';
export { renderSuite, summariseSuite } from './render-suite.ts';
export {
  runSuite,
  type SuiteReport,
} from './run-suite.ts';
export type { Half } from './runs/run-file.ts';
export type { RunProgress } from './runs/run-recorded.ts';

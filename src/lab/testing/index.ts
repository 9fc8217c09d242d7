/** `candor test`: the questions of a project as its test suite. */

export { faultsOfRun, type Thresholds } from './faults-of-run.ts';
export { findTestFiles } from './find-test-files.ts';
export { checkNamedItems } from './named-items.ts';
export { proposeUpdates, type Update } from './propose-updates.ts';
export { parseTestFile, readTestFile } from './read-test-file.ts';
export { renderJunit } from './render-junit.ts';
export type { RowDifference } from './row-difference.ts';
export { runTests, type TestProgress, type TestRun } from './run-tests.ts';
export { selectTests } from './select-tests.ts';
export { type ShareFigure, summariseTests, type TestSummary } from './summarise-tests.ts';
export type { TestCase, TestFile } from './test-case.ts';
export { type CaseResult, isBad, type Problem, type TurnResult } from './test-result.ts';
export { writeUpdates } from './write-updates.ts';

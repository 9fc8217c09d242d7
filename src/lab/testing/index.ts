/** `candor test`: the questions of a project as its test suite. */

export { findTestFiles, selectTests } from './find-test-files.ts';
export { checkNamedItems } from './judge-turn.ts';
export { casesToLabel, type LabelCase, labelAnswers, unlabelled } from './label-answers.ts';
export { proposeUpdates, type Update, writeUpdates } from './propose-updates.ts';
export { parseTestFile, readTestFile } from './read-test-file.ts';
export { renderJunit } from './render-junit.ts';
export type { RowDifference } from './row-difference.ts';
export { runTests, type TestRun } from './run-tests.ts';
export {
  faultsOfRun,
  type ShareFigure,
  summariseTests,
  type TestSummary,
} from './summarise-tests.ts';
export type { TestCase } from './test-result.ts';
export { type CaseResult, isBad, type Problem, type TurnResult } from './test-result.ts';

export { type ReadSuiteOptions, readSuite } from './read-suite.ts';
export {
  type ComparisonPolicy,
  type EvaluationCase,
  type Expected,
  SUITE_NAMES,
  type Suite,
  type SuiteName,
} from './suite.ts';
export { questionFile, resolvePlaces, type SuitePlaces } from './suite-places.ts';

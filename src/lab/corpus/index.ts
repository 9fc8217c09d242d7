export { gradeHardness, hasTopLevelOrder } from './gold-sql.ts';
export { type ReadSuiteOptions, readSuite } from './read-suite.ts';
export {
  type ComparisonPolicy,
  type EvaluationCase,
  type Expected,
  SUITE_NAMES,
  type Suite,
  type SuiteName,
} from './suite.ts';
export { resolvePlaces, type SuitePlaces } from './suite-places.ts';

export { compareResults } from './compare-results.ts';
export type { ComparedResult, Verdict } from './comparison.ts';

export { compareResults } from './compare-results.ts';
export type { ComparedResult, Verdict } from './comparison.ts';
export { orderedColumn } from './ordered-column.ts';

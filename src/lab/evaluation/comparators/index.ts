export type { Verdict } from '../../../results/index.ts';
export { compareResults } from './compare-results.ts';
export { orderedColumn } from './ordered-column.ts';

export { countLookUps, countOne, type LookUpCounts, sumOfLookUps, uncounted } from './count-work.ts';
export { ATTRIBUTES, errorTypeOf, inSpan, lookUp } from './in-span.ts';
export { type StageEvent, Trace } from './trace.ts';

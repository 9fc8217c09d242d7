export { ATTRIBUTES } from './attribute-names.ts';
export { countLookUps, countOne, type LookUpCounts, sumOfLookUps, uncounted } from './count-work.ts';
export { errorTypeOf, inSpan } from './in-span.ts';
export { lookUp } from './look-up.ts';
export { type StageEvent, Trace } from './trace.ts';

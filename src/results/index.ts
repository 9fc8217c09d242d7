/** Comparing rows: whether two results are the same, and which of several are; and rows as JSON. */
export type { ComparedResult, Verdict } from './encode-results.ts';
export { encodePair, toJsonValue } from './encode-results.ts';
export { groupResults, type ResultPolicy } from './group-results.ts';
export { type MatchOptions, matchColumns } from './match-columns.ts';
export type { Notice } from './notice.ts';
export { figureOf, isDecimal } from './read-figure.ts';

/** Queries as data, and their text in each dialect. */

export { INVERSE_COMPARISON, type PrintedPart, printQuery } from './print-query.ts';
export type {
  AggregateFunction,
  Cause,
  Comparison,
  Expression,
  FromTable,
  Join,
  OrderItem,
  Predicate,
  Query,
  SelectItem,
  SelectQuery,
} from './query.ts';

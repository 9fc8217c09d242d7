/** A query read with its schema: selects, operands, literals. */

export { comparedColumn, literalLength, literalType, presence } from './literals.ts';
export {
  comparedWith,
  compatibilityReader,
  isCondition,
  isPattern,
  operandsOf,
  operatorAt,
  unwrapped,
  writtenText,
} from './operands.ts';
export { MOST_NODES, type QueryRead, type ReadQuery, readQuery } from './read-query.ts';
export { readSelects, type SelectContext } from './selects.ts';

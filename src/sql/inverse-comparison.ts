import type { Comparison } from './query.ts';

/** The comparison that holds exactly where the given one does not (NULL aside). */
export const INVERSE_COMPARISON: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

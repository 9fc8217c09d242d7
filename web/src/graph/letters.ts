import type { GraphNode } from '../api/contract.ts';

/** Kinds are told by letters, too: colours alone say nothing to some. */
export const LETTERS: Readonly<Record<GraphNode['kind'], string>> = {
  table: 'T',
  metric: 'M',
  dimension: 'D',
  note: 'N',
  example: 'V',
  area: 'A',
  cluster: 'C',
};

import type { Bound, BoundFilter, BoundGroup, BoundHaving, BoundOrder, BoundProjection } from './bound.ts';

/** A frame that is bound slot by slot: what is chosen so far and the tables it needs. */
export interface State {
  readonly projections: readonly BoundProjection[];
  readonly filters: readonly BoundFilter[];
  readonly groups: readonly BoundGroup[];
  readonly orders: readonly BoundOrder[];
  readonly havings: readonly BoundHaving[];
  readonly absences: Bound['absences'];
  readonly tables: readonly string[];
  readonly score: number;
}

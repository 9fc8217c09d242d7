import type { Step } from '../items/structure.ts';

/** What a question does with figures: shows them, ranks them, or one of the steps. */
export type Shape = 'figure' | 'by-group' | 'ranking' | Step['kind'];

/** The slots of a question; BAR-SQL §3. Its id names its slots as a set, so that no template stands twice. */
export interface Template {
  readonly id: string;
  readonly shape: Shape;
  readonly metric: string;
  /** Dimensions, each narrowed to one value. */
  readonly filters: readonly string[];
  readonly groups: readonly string[];
}

/** Shapes whose SQL is one query over the figures; the others take several steps. */
export const PLAIN_SHAPES: readonly Shape[] = ['figure', 'by-group', 'ranking'];

export const STEP_SHAPES: readonly Step['kind'][] = [
  'growth',
  'difference',
  'share',
  'shares',
  'share-change',
  'top-per-group',
  'above-average',
  'rank-change',
  'largest-rise',
  'average-of-groups',
  'count-above',
];

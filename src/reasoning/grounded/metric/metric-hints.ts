import type { Metric } from '../../../knowledge/index.ts';

/** What whole phrases of a question tell beyond its single mentions. */
export interface MetricHints {
  readonly roles: readonly RoleMatch[];
  /** A metric whose words stand apart in the question ("cars that were delivered"), and the tokens that name it. */
  readonly scattered?: { readonly metric: Metric; readonly tokens: ReadonlySet<number> };
}

/** Tokens of words that choose between links ("sells in", "registered in"), with the relationship they choose. */
export interface RoleMatch {
  readonly relationship: string;
  readonly from: number;
  readonly to: number;
}

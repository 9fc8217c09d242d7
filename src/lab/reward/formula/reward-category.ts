/** The eight categories of BAR-SQL (issue 10; §5 of its specification): what kind of answer a question deserves. */
export const REWARD_CATEGORIES = [
  'standard',
  'multi_step',
  'reflection',
  'degenerate',
  'ambiguity',
  'dim_reject',
  'metric_reject',
  'follow_up',
] as const;

export type RewardCategory = (typeof REWARD_CATEGORIES)[number];

/** What the right answer is: a query, or a sentence that asks back or refuses. */
export type GoldKind = 'sql' | 'nl';

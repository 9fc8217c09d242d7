import type { GoldKind, RewardCategory } from './reward-category.ts';

export interface GrammarFacts {
  readonly answerKind: 'sql' | 'nl' | 'none';
  readonly goldKind: GoldKind;
  readonly category: RewardCategory;
  /** Whether the engine, or the schema the question was asked about, can plan the SQL of the answer. */
  readonly isPlannable: boolean;
}

/** R_gram of BAR-SQL: the answer is of the right kind and, where it is SQL, can be planned. */
export function grammarReward({ answerKind, goldKind, isPlannable }: GrammarFacts): 0 | 1 {
  if (answerKind === 'none' || answerKind !== goldKind) return 0;
  return answerKind === 'nl' || isPlannable ? 1 : 0;
}

/**
 * The same with two quirks of the published code: SQL that can be planned earns it although a refusal was due, and
 * for `degenerate` it earns it when it can *not* be planned, since the merged column is not in the real database.
 */
export function grammarRewardAsPublished(facts: GrammarFacts): 0 | 1 {
  const { answerKind, goldKind, category, isPlannable } = facts;
  if (answerKind === 'none') return 0;
  if (answerKind === 'nl') return goldKind === 'nl' ? 1 : 0;
  return isPlannable !== (category === 'degenerate') ? 1 : 0;
}

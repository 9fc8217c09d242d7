/** A question as the ranker sees it. */
import type { QuestionWords } from './question-words.ts';
import type { ValueFact } from './value-facts.ts';

export interface RankedQuestion {
  readonly words: QuestionWords;
  /** By column id. */
  readonly values: ReadonlyMap<string, ValueFact>;
  /** Whether all stored values could be looked up, not only examples. */
  readonly hasValues: boolean;
}

/** A question as the ranker sees it. */
import type { QuestionWords } from './question-words.ts';
import type { ValueFact } from './value-facts.ts';

export interface RankedQuestion {
  readonly words: QuestionWords;
  /** By column id. */
  readonly values: ReadonlyMap<string, ValueFact>;
  /** Places of the tables whose family has a member of a day, number or word of the question. */
  readonly named: ReadonlySet<number>;
  /** Whether all stored values could be looked up, not only examples. */
  readonly hasValues: boolean;
}

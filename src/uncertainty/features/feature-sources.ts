/** What features are read from besides the query; all but the schema may be missing. */
import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import type { AskedQuestion } from './asked-question.ts';

export interface FeatureSources {
  readonly schema: SchemaFacts;
  readonly asked?: AskedQuestion;
  /** Other candidates for the question, the query itself not among them; none: nobody else was asked. */
  readonly others?: readonly ReadQuery[];
  /** Tokens of the query as its model wrote them. */
  readonly tokens?: readonly WrittenToken[];
}

export interface WrittenToken {
  /** UTF-16 offsets in the query's text, half open. */
  readonly start: number;
  readonly end: number;
  /** Natural logarithm of its probability. */
  readonly logProbability: number;
}

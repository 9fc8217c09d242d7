/** A question as the ranker sees it. */

import { keywordsOf } from '../../../knowledge/index.ts';
import type { QuestionWords } from './question-words.ts';

export interface RankedQuestion {
  readonly words: QuestionWords;
  /** By column id. */
  readonly values: ReadonlyMap<string, ValueFact>;
  /** Places of the tables whose family has a member of a day, number or word of the question. */
  readonly named: ReadonlySet<number>;
  /** Whether all stored values could be looked up, not only examples. */
  readonly hasValues: boolean;
}

/** Which columns hold a literal of the question, and how much that tells. */
interface ValueFact {
  /** Words of the longest literal that is a stored value. */
  readonly words: number;
  /** Columns that hold it: one tells more than twenty. */
  readonly columns: number;
  /** The literal, as the question has it. */
  readonly text: string;
}

/** Ids of the columns that hold a text, but for case. */
export type FindColumnsOf = (text: string) => readonly string[];

const MOST_KEYWORDS = 200;
const LEAST_LETTERS = 2;

/** By column id. Runs of words inside a longer run that is a value of the same column do not count again. */
export function valueFacts(
  question: string,
  hint: string,
  columnsOf: FindColumnsOf,
): ReadonlyMap<string, ValueFact> {
  const facts = new Map<string, ValueFact>();
  const keywords = [...new Set([...keywordsOf(question), ...keywordsOf(hint)])].slice(0, MOST_KEYWORDS);
  for (const text of keywords) {
    if (text.length < LEAST_LETTERS) continue;
    const columns = new Set(columnsOf(text));
    const words = text.split(/\s+/u).length;
    for (const id of columns) {
      const known = facts.get(id);
      if (known !== undefined && known.words >= words) continue;
      facts.set(id, { words, columns: columns.size, text });
    }
  }
  return facts;
}

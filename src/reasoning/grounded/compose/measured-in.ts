import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { columnScore, isTableLike, isTextLike } from './nouns.ts';

/** "more than 30000 in salary": the column stands behind the number. */
export function measuredIn(cursor: Cursor, offset: number): Mention | undefined {
  const noun = /^(?:in|of)$/i.test(cursor.at(offset)?.text ?? '') ? cursor.noun(offset + 1) : undefined;
  return noun !== undefined && columnScore(noun) >= 0.85 && !isTableLike(noun) && !isTextLike(noun)
    ? noun
    : undefined;
}

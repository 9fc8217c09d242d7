import type { Comparison } from '../../../sql/index.ts';
import type { Cursor } from './cursor.ts';
import type { StatisticOperand } from './frame.ts';
import { columnScore, isTableLike } from './nouns.ts';

const LINK = /^(?:than|the|that|those|of|of the|to|is|are)$/i;
const ALL = /^(?:of all|all|every|each)$/i;
const ANY = /^(?:some|any)$/i;

/**
 * What "larger than any country", "above the salary of all teachers" compare with, and the offset behind it:
 * the smallest of their figures or the largest. Stands on the cue of the comparison.
 */
export function quantifiedOperand(
  cursor: Cursor,
  operator: Comparison,
): { operand: StatisticOperand; next: number } | undefined {
  let at = skipLinks(cursor, 1);
  const repeated = cursor.noun(at);
  const isRepeated = repeated !== undefined && columnScore(repeated) > 0 && !isTableLike(repeated);
  if (isRepeated) at = skipLinks(cursor, at + 1);
  const mention = cursor.at(at);
  const isAll = ALL.test(mention?.text ?? '');
  const noun = cursor.noun(cursor.skip(at, ['stop', 'of', 'group']));
  if (mention === undefined || (!isAll && !ANY.test(mention.text))) return undefined;
  if (noun === undefined || !isTableLike(noun)) return undefined;
  if (isRepeated && cursor.pending === undefined) cursor.pending = repeated;
  const isMore = operator === '>' || operator === '>=';
  return {
    operand: {
      kind: 'statistic',
      function: isMore === isAll ? 'max' : 'min',
      noun: isRepeated ? repeated : undefined,
      filters: [],
      mention,
    },
    next: noun.index - cursor.position + 1,
  };
}

function skipLinks(cursor: Cursor, offset: number): number {
  let at = offset;
  while (LINK.test(cursor.at(at)?.text ?? '')) at++;
  return at;
}

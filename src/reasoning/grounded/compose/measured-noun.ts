import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { columnScore, isTableLike, tableScore } from './nouns.ts';

/** What a figure is of, and where the words behind it begin: in "the average track length" the table only says whose length. */
export function measuredNoun(
  cursor: Cursor,
  at: number,
): { readonly noun: Mention; readonly next: number } | undefined {
  const noun = cursor.noun(at);
  if (noun === undefined) return undefined;
  const measured = cursor.noun(at + 1);
  if (measured === undefined || !isTableLike(noun) || columnScore(measured) <= tableScore(measured))
    return { noun, next: at + 1 };
  cursor.frame.contexts.push(noun);
  return { noun: measured, next: at + 2 };
}

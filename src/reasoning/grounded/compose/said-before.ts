import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { columnScore, isTableLike, isTextLike } from './nouns.ts';

/** "wrestlers days held less than 100", "students aged above 22": the column stands right before, and is not shown. */
export function saidBefore({ frame, mentions, position }: Cursor): Mention | undefined {
  const before = mentions[position - 1]?.cue?.kind === 'be' ? mentions[position - 2] : mentions[position - 1];
  const last = frame.projections.at(-1);
  if (before === undefined || before.cue !== undefined || columnScore(before) < 0.85 || isTextLike(before))
    return undefined;
  if (last?.noun !== before) return isTableLike(before) ? undefined : before;
  if (frame.projections.length === 1 || last.aggregate !== undefined) return undefined;
  frame.projections.pop();
  return before;
}

import type { Mention } from '../mention/mention.ts';
import type { Cursor } from './cursor.ts';
import { isTableLike } from './nouns.ts';

/** "the journal with 'X' in its name", "states with an area above 10": the table that the question says has it. */
export function ownerBefore(cursor: Cursor): Mention | undefined {
  let lead = -1;
  while (cursor.cue(lead, 'stop') !== undefined && lead > -3) lead -= 1;
  const { cue, text = '' } = cursor.at(lead) ?? {};
  const isTied = cue?.kind === 'have' || /^(?:with|whose|having)$/i.test(text);
  const owner = isTied ? cursor.noun(lead - 1) : undefined;
  return owner !== undefined && isTableLike(owner) ? owner : undefined;
}

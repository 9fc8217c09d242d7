import type { Mention } from '../../mention/mention.ts';
import type { Cursor, Rule } from '../cursor.ts';
import { columnScore, isTextLike, tableScore } from '../nouns.ts';

/** "the difference between the highest and the lowest salary", "the ratio of the highest to the lowest", "the difference in age between …". */
export const spread: Rule = {
  name: 'spread',
  examples: [
    'What is the difference between the highest and the lowest age of singers?',
    'Show the ratio of the highest to the lowest capacity.',
  ],
  apply(cursor) {
    const kind = kindAt(cursor);
    if (kind === undefined || cursor.frame.projections.length > 0) return 0;
    const named = cursor.noun(1);
    const ends = endsAt(cursor, named === undefined ? 1 : 2);
    if (ends === undefined) return 0;
    const behind = cursor.noun(ends);
    const noun = named ?? behind;
    if (noun === undefined || !isNumber(noun)) return 0;
    if (named !== undefined && behind !== undefined) cursor.addContext(behind);
    for (const aggregate of ['max', 'min'] as const)
      cursor.frame.projections.push({ aggregate, isDistinct: false, noun });
    cursor.frame.spread = kind;
    cursor.mode = 'modify';
    return behind === undefined ? ends : ends + 1;
  },
};

function kindAt(cursor: Cursor): 'difference' | 'ratio' | undefined {
  const { text = '' } = cursor.at(0) ?? {};
  if (cursor.cue(0, 'growth') !== undefined && /^(?:the )?differences?\b/i.test(text)) return 'difference';
  return cursor.cue(0, 'share') !== undefined && /^ratio\b/i.test(text) ? 'ratio' : undefined;
}

/** Where the words behind "the highest and the lowest" begin. */
function endsAt(cursor: Cursor, offset: number): number | undefined {
  const first = cursor.skip(offset, ['between', 'preposition', 'stop', 'of']);
  const second = cursor.skip(first + 1, ['and', 'preposition', 'stop']);
  const [high, low] = [first, second].map((at) => directionAt(cursor, at));
  return second > first + 1 && high === 'desc' && low === 'asc' ? cursor.skip(second + 1) : undefined;
}

/** "youngest" looks for the latest date of birth, and so for the lowest age. */
function directionAt(cursor: Cursor, offset: number): 'asc' | 'desc' | undefined {
  const cue = cursor.cue(offset, 'superlative');
  if (/^youngest$/i.test(cursor.at(offset)?.text ?? '')) return 'asc';
  if (cue !== undefined) return cue.direction;
  const name = cursor.cue(offset, 'aggregate')?.function;
  return name === 'max' ? 'desc' : name === 'min' ? 'asc' : undefined;
}

function isNumber(noun: Mention): boolean {
  return columnScore(noun) > tableScore(noun) && !isTextLike(noun);
}

import type { Rule } from '../cursor.ts';
import { columnScore, isTableLike, tableScore } from '../nouns.ts';

/** "the median price", "the 90th percentile of the totals". */
export const quantile: Rule = {
  name: 'quantile',
  examples: ['What is the median age of the singers?', 'Show the 90th percentile of the salary by country.'],
  apply(cursor) {
    const said = cursor.role(0) === 'number' ? cursor.at(0)?.number : undefined;
    const start = said === undefined ? 0 : 1;
    const cue = cursor.cue(start, 'quantile');
    const percent = said ?? cue?.percent;
    if (cue === undefined || percent === undefined || percent <= 0 || percent >= 100) return 0;
    if (said !== undefined && cue.percent !== undefined) return 0;
    // "the average and median price" wants two figures, of which one would be lost.
    const isSecond = cursor.cue(-1, 'and') !== undefined && cursor.cue(-2, 'aggregate') !== undefined;
    if (isSecond) return 0;
    // "above the median price" compares with it, which is not read yet.
    if (cursor.mode === 'modify') return 0;
    let at = cursor.skip(start + 1);
    let noun = cursor.noun(at);
    if (noun === undefined) return 0;
    const measured = cursor.noun(at + 1);
    if (measured !== undefined && isTableLike(noun) && columnScore(measured) > tableScore(measured)) {
      cursor.frame.contexts.push(noun);
      noun = measured;
      at += 1;
    }
    cursor.frame.projections.push({ aggregate: 'avg', percent, isDistinct: false, noun });
    return at + 1;
  },
};

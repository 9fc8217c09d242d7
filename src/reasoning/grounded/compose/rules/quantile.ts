import type { Rule } from '../cursor.ts';
import { measuredNoun } from '../measured-noun.ts';

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
    const measured = measuredNoun(cursor, cursor.skip(start + 1));
    if (measured === undefined) return 0;
    const { noun, next } = measured;
    cursor.frame.projections.push({ aggregate: 'avg', percent, isDistinct: false, noun });
    return next;
  },
};

import type { Rule } from '../cursor.ts';
import { columnScore, isTableLike, tableScore } from '../nouns.ts';

/** "running total of payments per month": rows are counted and figures added up, each step with all before it. */
export const running: Rule = {
  name: 'running',
  examples: [
    'Show the running total of concerts per month.',
    'What is the cumulative number of concerts by year?',
  ],
  apply(cursor) {
    const mention = cursor.at(0);
    if (mention === undefined || cursor.cue(0, 'running') === undefined || cursor.mode === 'modify') return 0;
    let at = cursor.skip(1);
    let noun = cursor.noun(at);
    if (noun === undefined) return 0;
    const measured = cursor.noun(at + 1);
    if (measured !== undefined && isTableLike(noun) && columnScore(measured) > tableScore(measured)) {
      cursor.frame.contexts.push(noun);
      noun = measured;
      at += 1;
    }
    cursor.frame.running = mention;
    const aggregate = isTableLike(noun) ? 'count' : 'sum';
    cursor.frame.projections.push({ aggregate, isDistinct: false, noun });
    return at + 1;
  },
};

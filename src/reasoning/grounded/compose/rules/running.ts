import type { Rule } from '../cursor.ts';
import { measuredNoun } from '../measured-noun.ts';
import { isTableLike } from '../nouns.ts';

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
    const measured = measuredNoun(cursor, cursor.skip(1));
    if (measured === undefined) return 0;
    const { noun, next } = measured;
    cursor.frame.running = mention;
    const aggregate = isTableLike(noun) ? 'count' : 'sum';
    cursor.frame.projections.push({ aggregate, isDistinct: false, noun });
    return next;
  },
};

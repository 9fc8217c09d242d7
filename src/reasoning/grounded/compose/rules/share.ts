import type { Rule } from '../cursor.ts';

/** "what percentage of the films are rated R": the part against all. */
export const share: Rule = {
  name: 'share',
  examples: ['What percentage of singers are from France?', 'What share of the concerts took place in 2014?'],
  apply(cursor) {
    const cue = cursor.cue(0, 'share');
    const mention = cursor.at(0);
    if (cue === undefined || mention === undefined || cursor.frame.projections.length > 0) return 0;
    const at = cursor.skip(1);
    const noun = cursor.noun(at);
    if (noun === undefined) return 0;
    cursor.frame.share = { isPercent: /percent/i.test(mention.text) };
    cursor.frame.projections.push({ aggregate: 'count', isDistinct: false, noun });
    cursor.mode = 'modify';
    return at + 1;
  },
};

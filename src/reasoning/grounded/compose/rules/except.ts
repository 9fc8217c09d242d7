import type { Rule } from '../cursor.ts';
import { isTableLike } from '../nouns.ts';

/** "except those having an album in Rock", "other than the ones from France": what follows is left out. */
export const except: Rule = {
  name: 'except',
  examples: ['List all singers except those who had concerts.', 'Show the stadiums except those in France.'],
  apply(cursor) {
    const mention = cursor.at(0);
    const cue = cursor.cue(0, 'compare');
    const isExcept = cue?.operator === '<>' && cue.isPostfix !== true;
    if (mention === undefined || !isExcept || cursor.frame.projections.length === 0) return 0;
    const those = cursor.skip(1, ['stop', 'of']);
    if (!/^(?:those|the ones|ones|these)$/i.test(cursor.at(those - 1)?.text ?? '')) return 0;
    const at = cursor.skip(those, ['relative', 'wh', 'have', 'be', 'stop', 'preposition']);
    const noun = cursor.noun(at);
    cursor.mode = 'modify';
    if (noun !== undefined && isTableLike(noun)) {
      const absence = { noun, filters: [], stated: [], mention };
      cursor.frame.absences.push(absence);
      cursor.absence = absence;
      return at + 1;
    }
    cursor.isNegated = true;
    cursor.isDenied = true;
    return at;
  },
};

import type { AggregateFunction } from '../../../../sql/query.ts';
import type { Cursor, Rule } from '../cursor.ts';

/** "average, minimum and maximum age", "the total salary and bonus". */
export const aggregate: Rule = {
  name: 'aggregate',
  examples: ['What is the average, minimum and maximum age of all singers?', 'Show the total sales.'],
  apply(cursor) {
    const { functions, next } = readFunctions(cursor);
    if (functions.length === 0) return 0;
    let at = cursor.skip(next);
    if (cursor.cue(at, 'count') !== undefined) return 0;
    let isDistinct = false;
    if (cursor.cue(at, 'distinct') !== undefined) {
      isDistinct = true;
      at = cursor.skip(at + 1);
    }
    const noun = cursor.noun(at);
    if (noun === undefined) return 0;
    for (const name of functions) cursor.frame.projections.push({ aggregate: name, isDistinct, noun });
    return at + 1;
  },
};

function readFunctions(cursor: Cursor): { functions: AggregateFunction[]; next: number } {
  const functions: AggregateFunction[] = [];
  let next = 0;
  for (let at = 0; ; at++) {
    const cue = cursor.cue(at, 'aggregate');
    const superlative = functions.length > 0 ? cursor.cue(at, 'superlative') : undefined;
    if (cue !== undefined) functions.push(cue.function);
    else if (superlative !== undefined && superlative.attributes.length > 1) functions.push(superlative.direction === 'desc' ? 'max' : 'min');
    else if (functions.length > 0 && (cursor.at(at)?.isComma || cursor.cue(at, 'and') !== undefined || isThe(cursor, at))) continue;
    else break;
    next = at + 1;
  }
  return { functions, next };
}

function isThe(cursor: Cursor, at: number): boolean {
  return cursor.cue(at, 'stop') !== undefined;
}

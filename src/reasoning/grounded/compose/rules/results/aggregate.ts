import type { AggregateFunction } from '../../../../../sql/print/index.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import { measuredNoun } from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from '../../frame/nouns.ts';

const OVERALL: ReadonlyMap<string, 'avg' | 'sum'> = new Map([
  ['on average', 'avg'],
  ['in total', 'sum'],
  ['altogether', 'sum'],
  ['overall', 'sum'],
]);

/** "average, minimum and maximum age", "the total salary and bonus". */
export const aggregate: Rule = {
  name: 'aggregate',
  examples: ['What is the average, minimum and maximum age of all singers?', 'Show the total sales.'],
  apply(cursor) {
    const overall = OVERALL.get(cursor.at(0)?.text.toLowerCase() ?? '');
    // "how many passengers in total do the stations have"
    const goesOn = /^(?:do|does|did|have|has|had|are|were)$/i.test(cursor.at(1)?.text ?? '');
    if (overall !== undefined && (goesOn || cursor.noun(cursor.skip(1)) === undefined)) {
      cursor.frame.overall = overall;
      return 1;
    }
    const { functions, next } = readFunctions(cursor);
    if (functions.length === 0) return 0;
    let at = cursor.skip(next);
    // "the average number of songs per singer": counts first, then their average.
    if (cursor.cue(at, 'count') !== undefined && functions.length === 1 && functions[0] === 'avg') {
      cursor.frame.overall = 'avg';
      return next;
    }
    // "the minimum and maximum number of rooms": of a column that holds the numbers.
    if (cursor.cue(at, 'count') !== undefined) {
      const counted = cursor.noun(cursor.skip(at + 1));
      if (counted === undefined || tableScore(counted) >= columnScore(counted)) return 0;
      at = cursor.skip(at + 1);
    }
    let isDistinct = false;
    if (cursor.cue(at, 'distinct') !== undefined) {
      isDistinct = true;
      at = cursor.skip(at + 1);
    }
    const measured = measuredNoun(cursor, at);
    if (measured === undefined) return 0;
    const { noun, next: behind } = measured;
    // "with an average age above 30" is a condition, left to the rule for comparisons.
    const compared = cursor.skip(behind, ['stop', 'be', 'have', 'of']);
    if (cursor.mode === 'modify' && functions.length === 1 && cursor.cue(compared, 'compare') !== undefined)
      return 0;
    const lead = cursor.at(-1)?.cue?.kind === 'stop' ? cursor.at(-2) : cursor.at(-1);
    const [only] = functions;
    // "the volume with the minimum weeks" picks a row.
    if (
      cursor.mode === 'modify' &&
      functions.length === 1 &&
      (only === 'min' || only === 'max') &&
      (lead?.cue?.kind === 'preposition' || lead?.cue?.kind === 'have')
    ) {
      const mention = cursor.at(0);
      if (mention !== undefined)
        cursor.frame.orders.push({
          noun,
          isCount: false,
          attributes: [],
          direction: only === 'max' ? 'desc' : 'asc',
          isSuperlative: true,
          mention,
        });
      cursor.frame.limit ??= 1;
      return behind;
    }
    for (const name of functions) cursor.frame.projections.push({ aggregate: name, isDistinct, noun });
    const second = alsoMeasured(cursor, behind);
    if (second === undefined) return behind;
    for (const name of functions)
      cursor.frame.projections.push({ aggregate: name, isDistinct, noun: second });
    return second.index - cursor.position + 1;
  },
};

/** "the maximum price and score": the figure is of both; of what holds words, or names a row, there is none. */
function alsoMeasured(cursor: Cursor, offset: number): Mention | undefined {
  const noun = /^and$/i.test(cursor.at(offset)?.text ?? '') ? cursor.noun(offset + 1) : undefined;
  if (noun === undefined || noun.isPossessed || isTableLike(noun) || isTextLike(noun)) return undefined;
  return columnScore(noun) >= 0.6 && !/\b(?:ids?|codes?|numbers?|names?|dates?|years?)\b/i.test(noun.text)
    ? noun
    : undefined;
}

function readFunctions(cursor: Cursor): { functions: AggregateFunction[]; next: number } {
  const functions: AggregateFunction[] = [];
  let next = 0;
  for (let at = 0; ; at++) {
    const cue = cursor.cue(at, 'aggregate');
    const superlative =
      functions.length > 0 || opensList(cursor, at) ? cursor.cue(at, 'superlative') : undefined;
    if (cue !== undefined) functions.push(cue.function);
    else if (superlative !== undefined && (superlative.attributes.length > 0 || isNumberOf(cursor, at)))
      functions.push(superlative.direction === 'desc' ? 'max' : 'min');
    else if (
      functions.length > 0 &&
      (cursor.at(at)?.isComma || cursor.cue(at, 'and') !== undefined || isThe(cursor, at))
    )
      continue;
    else break;
    next = at + 1;
  }
  return { functions, next };
}

/** "minimum number of" closes a list of figures. */
function isNumberOf(cursor: Cursor, at: number): boolean {
  return /(?:number|amount) of$/i.test(cursor.at(at)?.text ?? '');
}

/** "the shortest and the longest film": a pair of superlatives asks for both figures. */
function opensList(cursor: Cursor, at: number): boolean {
  if (at > 0 || cursor.cue(at, 'superlative')?.byCount !== false || cursor.mode !== 'project') return false;
  const and = cursor.skip(at + 1, ['and', 'stop']);
  return (
    cursor.cue(at + 1, 'and') !== undefined &&
    (cursor.cue(and, 'superlative') ?? cursor.cue(and, 'aggregate')) !== undefined
  );
}

function isThe(cursor: Cursor, at: number): boolean {
  return cursor.cue(at, 'stop') !== undefined;
}

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

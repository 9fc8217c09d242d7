/** Words of a question that ask for an operation of SQL. */
import type { SqlNode } from '../../sql/tree/index.ts';
import { type AskedQuestion, questionMemory } from './asked-question.ts';

const HIGHEST =
  /\b(?:most|highest|largest|biggest|greatest|maximum|max|top|best|latest|last|newest|youngest|longest|tallest|heaviest|fastest|more|richest|recent)\b/i;
const LOWEST =
  /\b(?:least|lowest|smallest|fewest|minimum|min|worst|earliest|first|oldest|shortest|lightest|slowest|cheapest|bottom)\b/i;
// A word is bounded: ASCII and other letters side by side give a text a word boundary at every letter.
const SUPERLATIVE = /\b(?:most|least|top|first|last|rank|order|sort|\p{L}{3,40}est)\b|\bm(?:ax|in)imum\b/iu;
const RATIO =
  /\b(?:percent\p{L}*|ratio|proportion|rate|times|per|average|difference|how much (?:more|less|faster))\b|%/iu;

/** By type of node. A type that is not here has no cue. */
const CUES: ReadonlyMap<string, RegExp> = new Map([
  [
    'Count',
    /\b(?:how many|number of|count|total|amount of|times|percent\p{L}*|ratio|proportion|most|average|than)\b|%/iu,
  ],
  [
    'Sum',
    /\b(?:total|sum|overall|altogether|combined|how many|how much|percent\p{L}*|ratio|proportion|average|times)\b/iu,
  ],
  ['Avg', /\b(?:average|mean|avg)\b/i],
  ['Max', SUPERLATIVE],
  ['Min', SUPERLATIVE],
  ['Div', RATIO],
  ['Mul', RATIO],
  [
    'Sub',
    /\b(?:difference|more|less|older|younger|age|between|gap|deviation|how much|how long|duration|after|years?|old)\b/i,
  ],
  [
    'Distinct',
    /\b(?:different|distinct|unique|kinds?|types?|various|without repetition|list|what are|which)\b/i,
  ],
  ['Order', SUPERLATIVE],
  ['Ordered', SUPERLATIVE],
  ['Limit', /\b(?:most|least|top|first|last|only|\p{L}{3,40}est|\d+)\b|\bm(?:ax|in)imum\b/iu],
  [
    'Group',
    /\b(?:each|every|per|by|for all|respectively|most|least|\p{L}{3,40}est|which|more than|at least)\b/iu,
  ],
  [
    'Having',
    /\b(?:more than|less than|at least|at most|over|under|exceed\p{L}*|only|least|both|than|\d+)\b/iu,
  ],
  [
    'GT',
    /\b(?:more|over|above|greater|higher|exceed\p{L}*|after|later|larger|older|longer|taller|beyond|bigger|than|since|from|abnormal|out of)\b/iu,
  ],
  [
    'GTE',
    /\b(?:at least|no less|not less|from|since|or more|minimum|or (?:above|older|later)|between|range|and above|more|over|abnormal)\b/i,
  ],
  [
    'LT',
    /\b(?:less|under|below|lower|fewer|smaller|before|earlier|younger|shorter|within|than|until|prior|abnormal)\b/i,
  ],
  [
    'LTE',
    /\b(?:at most|no more|not more|until|up to|or less|maximum|or (?:below|younger|earlier)|between|range|and below|within|less)\b/i,
  ],
  ['Between', /\b(?:between|from|to|range|during|within|\d{4})\b/i],
  ['Not', /\b(?:not|n't|no|never|without|except|other than|non\p{L}*|exclud\p{L}*|neither)\b/iu],
  ['NEQ', /\b(?:not|n't|no|never|without|except|other than|different|exclud\p{L}*|isn't|aren't)\b/iu],
  [
    'Like',
    /\b(?:contain\p{L}*|start\p{L}*|begin\p{L}*|end\p{L}*|includ\p{L}*|with|like|in|on|during|\d{4})\b/iu,
  ],
  ['Or', /\bor\b|\beither\b|,/i],
  ['Case', RATIO],
  ['If', RATIO],
  ['Union', /\b(?:and|or|both|also|respectively)\b/i],
  ['Intersect', /\b(?:both|and|also)\b/i],
  ['Except', /\b(?:not|n't|no|never|without|except)\b/i],
]);

export interface Cue {
  /** 1 or 0; NaN for what is no operation. */
  readonly inQuestion: number;
  /** Of calls: whether the hint writes the function. */
  readonly inHint: number;
}

const NO_CUE: Cue = { inQuestion: Number.NaN, inHint: Number.NaN };

const cuesOf = questionMemory<Cue>();

/** Looks for the words of a type once for a question: nodes of one type stand in most of its candidates. */
export function cueReader(asked: AskedQuestion): (node: SqlNode) => Cue {
  const cues = cuesOf(asked);
  const find = (type: string): Cue => readCue(type, asked);
  return (node) => {
    const cue = cues(node.type, find);
    if (node.flags.call === undefined) return cue;
    return { inQuestion: cue.inQuestion, inHint: Number(asked.said.hintCalls.has(nameOfCall(node))) };
  };
}

function readCue(type: string, { text, hint }: AskedQuestion): Cue {
  const pattern = CUES.get(type);
  if (pattern === undefined) return NO_CUE;
  return { inQuestion: Number(pattern.test(text)), inHint: signInHint(type, hint) };
}

function nameOfCall({ value, type }: SqlNode): string {
  return (value ?? type).toUpperCase();
}

const SIGNS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    Div: /\bdivi\p{L}*|\//iu,
    Mul: /\bmultipl\p{L}*|\*|percent/iu,
    Sub: /\bsubtract\p{L}*|\bminus\b|\bdifference\b|\s[-–]\s/iu,
    GT: /(?<![<=])>(?!=)/u,
    GTE: />=|≥/u,
    LT: /<(?![=>])/u,
    LTE: /<=|≤/u,
    Between: /\bbetween\b/iu,
    Like: /\blike\b|%/iu,
    NEQ: /!=|<>|\bnot\b/iu,
  }),
);

function signInHint(type: string, hint: string): number {
  const sign = SIGNS.get(type);
  return sign === undefined ? Number.NaN : Number(sign.test(hint));
}

/** Of a sort key: whether the question's highest or lowest agrees with its direction. */
export function directionFit(node: SqlNode, { text, hint }: AskedQuestion): number {
  if (node.type !== 'Ordered') return Number.NaN;
  const [high, low] = [HIGHEST.test(text), LOWEST.test(text)];
  const [most, least] = [/\bmax\b|\bdesc/i.test(hint), /\bmin\b|\basc/i.test(hint)];
  const lean = most !== least ? (most ? 1 : -1) : high === low ? 0 : high ? 1 : -1;
  const isDescending = node.flags.desc !== undefined;
  return lean === 0 ? 0 : lean === (isDescending ? 1 : -1) ? 1 : -1;
}

/** Which words of the question, the hint and the schema's descriptions support a node. */

import type { Column, Table } from '../../catalog/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import { splitName } from '../../language/index.ts';
import type { SqlNode } from '../../sql/tree/index.ts';
import { type AskedQuestion, barePattern, questionMemory, shortStem, stemsIn } from './asked-question.ts';
import {
  type Feature,
  type FeatureGroup,
  type FeatureSources,
  type NodeReader,
  unknownRow,
} from './feature.ts';
import { nodeSubjects } from './node-subjects.ts';

const GROUNDING_FEATURES = [
  {
    name: 'name_in_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the column or table name that the question has',
    tell: (value) => (value === 0 ? 'no word of its name stands in the question' : undefined),
  },
  {
    name: 'name_meant_by_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the name that the question has, or means by another word',
  },
  {
    name: 'name_in_hint',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the column or table name that the hint has',
  },
  {
    name: 'name_written_in_hint',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the hint writes the name as the schema does',
    tell: (value) => (value === 1 ? 'the hint writes its name' : undefined),
  },
  {
    name: 'description_in_question',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the question that the description of the column or table has',
  },
  {
    name: 'literal_in_question',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal stands in the question',
    tell: (value) => (value === 0 ? 'the question does not say this value' : undefined),
  },
  {
    name: 'literal_in_hint',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal stands in the hint',
    tell: (value) => (value === 1 ? 'the hint has this value' : undefined),
  },
  {
    name: 'literal_quoted_in_hint',
    kind: 'ratio',
    unit: '1 as written, 0.5 but for case, 0 not',
    about: 'the literal is a quoted text or a number of the hint',
  },
  {
    name: 'literal_in_description',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the description of the compared column has the literal',
    tell: (value) => (value === 1 ? 'the description of its column has this value' : undefined),
  },
  {
    name: 'literal_words_said',
    kind: 'ratio',
    unit: 'share of words',
    about: 'words of the literal that the question or the hint has',
  },
  {
    name: 'literal_of_longer',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the literal is a part of a longer name that the question or the hint has',
    tell: (value) => (value === 1 ? 'it is only a part of what the question names' : undefined),
  },
  {
    name: 'literal_pair_in_hint',
    kind: 'number',
    unit: '1 same, −1 another, 0 none',
    about: 'the hint gives a value for the compared column',
    tell: (value) => (value === -1 ? 'the hint gives another value for this column' : undefined),
  },
  {
    name: 'call_in_hint',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'the hint writes a call of this function',
    tell: (value) => (value === 1 ? 'the hint has this function' : undefined),
  },
  {
    name: 'cue_in_question',
    kind: 'boolean',
    unit: 'yes or no',
    about: 'a word of the question asks for this operation: average, more than, different, highest',
    tell: (value) => (value === 0 ? 'no word of the question asks for it' : undefined),
  },
  {
    name: 'direction_fits',
    kind: 'number',
    unit: '1 fits, −1 contradicts, 0 unclear',
    about: 'the direction of sorting beside words such as highest and lowest',
    tell: (value) => (value === -1 ? 'the question asks for the other direction' : undefined),
  },
] as const satisfies readonly Feature[];

export const groundingFeatures: FeatureGroup = { name: 'grounding', features: GROUNDING_FEATURES, open };

const groundedNames = questionMemory<Float64Array>();
const WIDTH = GROUNDING_FEATURES.length;
const NAMES = 0;
const LITERALS = 5;
const CALLS = 12;

function open(query: ReadQuery, { asked, schema }: FeatureSources): NodeReader {
  if (asked === undefined) return unknownRow(WIDTH);
  const question: AskedQuestion = asked;
  const subjects = nodeSubjects(query);
  const names = groundedNames(question, schema);
  const cueOf = cueReader(question);
  return (node, into, at) => {
    for (let index = 0; index < WIDTH; index += 1) into[at + index] = Number.NaN;
    if (node.type === 'Literal') {
      const column = schema.columns.get(subjects.compared[node.id] ?? '');
      copy(groundLiteral(node, column, question), into, at + LITERALS);
    }
    const name = nameOf(node);
    if (name !== undefined) copy(groundedName(node, name), into, at + NAMES);
    // A number in `LIMIT 1` and `* 100` stands or falls with what is around it.
    const cue = cueOf(node.type === 'Literal' ? (node.parent ?? node) : node);
    into[at + CALLS] = cue.inHint;
    into[at + CALLS + 1] = cue.inQuestion;
    into[at + CALLS + 2] = directionFit(node, question);
  };

  function groundedName(node: SqlNode, name: string): Float64Array {
    const id = subjects.columns[node.id] ?? subjects.tables[node.id] ?? `?${name}`;
    return names(id, () => {
      // An alias of a table is grounded by the name of the table.
      const item = schema.columns.get(id) ?? schema.tables.get(id);
      return groundName(item?.name ?? name, item, question);
    });
  }
}

function copy(values: ArrayLike<number>, into: (number | string)[], at: number): void {
  for (let index = 0; index < values.length; index += 1) into[at + index] = values[index] ?? Number.NaN;
}

function nameOf(node: SqlNode): string | undefined {
  if (node.type === 'Identifier') return node.value;
  if (node.type !== 'Column' && node.type !== 'Table') return undefined;
  return node.children.find(({ role }) => role === 'this')?.value;
}

// How far the words of a name stand in the question and the hint.

/** The first five grounding features of one table or column; without `item`, of a name that the schema does not have. */
function groundName(
  name: string,
  item: Column | Table | undefined,
  { words: { question, hint }, hintColumns }: AskedQuestion,
): Float64Array {
  const { stems, described } = item === undefined ? readWords(name, undefined) : wordsOf(item);
  const share = (test: (stem: string) => boolean): number =>
    stems.length === 0 ? Number.NaN : stems.filter(test).length / stems.length;
  const isWritten = (item && hintColumns.has(item.id)) || hint.names.has(name.toLowerCase());
  return Float64Array.of(
    share((stem) => question.set.has(stem)),
    share((stem) => question.set.has(stem) || question.synonyms.has(stem)),
    share((stem) => hint.set.has(stem)),
    Number(isWritten),
    shareDescribed(described, question.content),
  );
}

interface ItemWords {
  readonly stems: readonly string[];
  /** Stems of the description. */
  readonly described: ReadonlySet<string> | undefined;
}

const KNOWN = new WeakMap<Column | Table, ItemWords>();

/** Read once for a table or column: descriptions are long, and the same for every question. */
function wordsOf(item: Column | Table): ItemWords {
  let known = KNOWN.get(item);
  if (known === undefined) {
    known = readWords(item.name, item.comment);
    KNOWN.set(item, known);
  }
  return known;
}

/** What a query writes can be as long as the query. */
const LONGEST_NAME = 200;

function readWords(name: string, comment: string | undefined): ItemWords {
  return {
    stems: splitName(name.slice(0, LONGEST_NAME)).map(shortStem),
    described: comment === undefined ? undefined : new Set(stemsIn(comment)),
  };
}

/** Share of the question's words that the description has. */
function shareDescribed(described: ReadonlySet<string> | undefined, content: ReadonlySet<string>): number {
  if (described === undefined || content.size === 0) return Number.NaN;
  let found = 0;
  for (const stem of content) if (described.has(stem)) found += 1;
  return found / content.size;
}

// Where the content of a literal was said.

/** The seven grounding features of a literal, from `literal_in_question` on. */
function groundLiteral(
  literal: SqlNode,
  compared: Column | undefined,
  { text, hint, lower, said, stems }: AskedQuestion,
): readonly number[] {
  const value = barePattern(literal.value ?? '').trim();
  const folded = value.toLowerCase();
  const isText = literal.flags.string !== undefined;
  const quoted = isText ? said.hintTexts : said.hintNumbers;
  const isPart = (one: string): boolean => one.length > value.length && one.toLowerCase().includes(folded);
  return [
    isText ? standsIn(value, text, lower.text) : numberStands(value, said.questionNumbers),
    isText ? standsIn(value, hint, lower.hint) : numberStands(value, said.hintNumbers),
    isText ? equalIn(value, quoted) : numberStands(value, quoted),
    compared?.comment === undefined || value === ''
      ? Number.NaN
      : Math.ceil(standsIn(value, compared.comment, compared.comment.toLowerCase())),
    isText ? wordsSaid(value, stems) : Number.NaN,
    isText && value.length > 1 && (said.hintTexts.some(isPart) || said.questionTexts.some(isPart)) ? 1 : 0,
    compared === undefined ? 0 : pairInHint(compared.name.toLowerCase(), value, hint, lower.hint),
  ];
}

/** 1 as written, 0.5 but for case, 0 not at all; whole words only. */
function standsIn(value: string, text: string, lower: string): number {
  if (value === '') return 0;
  if (hasWhole(text, value)) return 1;
  return hasWhole(lower, value.toLowerCase()) ? 0.5 : 0;
}

function hasWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isEnd = (sign: string | undefined, own: string | undefined): boolean =>
      !(/[\p{L}\p{N}]/u.test(sign ?? ' ') && /[\p{L}\p{N}]/u.test(own ?? ' '));
    if (isEnd(text[at - 1], value[0]) && isEnd(text[at + value.length], value.at(-1))) return true;
  }
  return false;
}

function equalIn(value: string, texts: readonly string[]): number {
  if (texts.includes(value)) return 1;
  const lower = value.toLowerCase();
  return texts.some((text) => text.toLowerCase() === lower) ? 0.5 : 0;
}

function numberStands(value: string, numbers: readonly string[]): number {
  const number = Number(value);
  return Number.isFinite(number) && numbers.some((one) => Number(one) === number) ? 1 : 0;
}

function wordsSaid(value: string, said: ReadonlySet<string>): number {
  const stems = stemsIn(value);
  return stems.length === 0 ? Number.NaN : stems.filter((stem) => said.has(stem)).length / stems.length;
}

const NEAR = 40;

/** `City = 'Fresno'`, `Charter = 1`: 1 where the hint has this value for the column, −1 another one, 0 none. */
function pairInHint(column: string, value: string, hint: string, lower: string): number {
  // SQLite allows a column without a name, which would be found everywhere.
  if (column === '') return 0;
  let found = 0;
  for (let at = lower.indexOf(column); at >= 0; at = lower.indexOf(column, at + 1)) {
    const after = hint.slice(at + column.length, at + column.length + NEAR);
    const pair =
      /^[`"')\]]*\s*(?:=|!=|<>|>=?|<=?|is|in|like)\s*\(?\s*(?:'([^']*)|"([^"]*)|(-?\d[\d.]*))/i.exec(after);
    const other = pair?.[1] ?? pair?.[2] ?? pair?.[3];
    if (other === undefined) continue;
    if (barePattern(other) === value || Number(other) === Number(value || 'none')) return 1;
    found = -1;
  }
  return found;
}

// Words of a question that ask for an operation of SQL.

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

interface Cue {
  /** 1 or 0; NaN for what is no operation. */
  readonly inQuestion: number;
  /** Of calls: whether the hint writes the function. */
  readonly inHint: number;
}

const NO_CUE: Cue = { inQuestion: Number.NaN, inHint: Number.NaN };

const cuesOf = questionMemory<Cue>();

/** Looks for the words of a type once for a question: nodes of one type stand in most of its candidates. */
function cueReader(asked: AskedQuestion): (node: SqlNode) => Cue {
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
function directionFit(node: SqlNode, { text, hint }: AskedQuestion): number {
  if (node.type !== 'Ordered') return Number.NaN;
  const [high, low] = [HIGHEST.test(text), LOWEST.test(text)];
  const [most, least] = [/\bmax\b|\bdesc/i.test(hint), /\bmin\b|\basc/i.test(hint)];
  const lean = most !== least ? (most ? 1 : -1) : high === low ? 0 : high ? 1 : -1;
  const isDescending = node.flags.desc !== undefined;
  return lean === 0 ? 0 : lean === (isDescending ? 1 : -1) ? 1 : -1;
}

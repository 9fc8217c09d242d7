/** Highest becomes lowest, more than less than, ascending descending. */

import type { Span } from '../../../../sql/dialects/index.ts';
import { child, type SqlNode, type SqlTree, textOf } from '../../../../sql/tree/index.ts';
import type { AlteredSite, Made } from '../edits/alteration.ts';
import { phrasesIn, replaceAt, wordAfter } from '../edits/question-text.ts';
import { nodesOf, withPatches, withTurnedSign, withWord } from '../edits/sql-edits.ts';

interface Direction {
  readonly phrase: string;
  readonly turned: string;
  /** The sign that it has in a query; only of comparisons. */
  readonly sign?: 'GT' | 'LT' | 'GTE' | 'LTE';
}

const comparison = (sign: 'GT' | 'GTE', rows: string): readonly Direction[] =>
  pairs(rows).flatMap(([phrase, turned]) => [
    { phrase, turned, sign },
    { phrase: turned, turned: phrase, sign: sign === 'GT' ? 'LT' : 'LTE' },
  ]);

const COMPARISONS: readonly Direction[] = [
  ...comparison(
    'GT',
    'more than: less than; greater than: smaller than; larger than: smaller than; higher than: lower than; above: below; over: under; older than: younger than; longer than: shorter than; after: before; heavier than: lighter than',
  ),
  ...comparison(
    'GTE',
    'at least: at most; no less than: no more than; or more: or less; or later: or earlier',
  ),
  { phrase: 'fewer than', turned: 'more than', sign: 'LT' },
  { phrase: 'bigger than', turned: 'smaller than', sign: 'GT' },
];

const SUPERLATIVES: readonly Direction[] = pairs(
  `highest: lowest; lowest: highest; largest: smallest; biggest: smallest; greatest: smallest; smallest: largest; longest: shortest;
   shortest: longest; maximum: minimum; minimum: maximum; maximal: minimal; minimal: maximal; tallest: shortest; heaviest: lightest; lightest: heaviest; youngest: oldest;
   oldest: youngest; newest: oldest; latest: earliest; earliest: latest; most recent: earliest; most expensive: least expensive; cheapest: most expensive;
   least expensive: most expensive; most common: least common; least common: most common; most popular: least popular; least popular: most popular; most: least; least: most;
   fewest: most; fastest: slowest; slowest: fastest`,
).map(([phrase, turned]) => ({ phrase, turned }));

const SORTS: readonly Direction[] = pairs(
  `ascending: descending; descending: ascending; increasing: decreasing; decreasing: increasing; in alphabetical order: in reverse alphabetical order;
   in reverse alphabetical order: in alphabetical order`,
).map(([phrase, turned]) => ({ phrase, turned }));

function pairs(rows: string): readonly (readonly [string, string])[] {
  return rows.split(';').map((row) => {
    const [phrase = '', turned = ''] = row.split(':');
    return [phrase.trim(), turned.trim().replace(/\s+/g, ' ')];
  });
}

/** One where the question has one direction, and so have the gold and the answer's query. */
export function turnDirections(site: AlteredSite): readonly Made[] {
  const all = phrasesIn(site.question, [...COMPARISONS, ...SUPERLATIVES, ...SORTS]);
  if (all.length === 0) return [];
  const [only, ...more] = all;
  if (only === undefined || more.length > 0)
    return [{ kind: 'direction', because: 'the question has more than one direction' }];
  const { row, span } = only;
  const turn = turnOf(row);
  const [gold, sql] = [turn(site.gold), turn(site.sql)];
  if (gold === undefined || sql === undefined)
    return [{ kind: 'direction', because: 'gold and query do not have the one direction of the question' }];
  const question = replaceAt(site.question, span, turnedWords(site, row, span));
  return [
    { variants: [{ kind: 'direction', how: nameOf(row), question, due: { kind: 'changed', gold, sql } }] },
  ];
}

function nameOf(row: Direction): string {
  if (row.sign !== undefined) return 'comparison';
  return SORTS.includes(row) ? 'order' : 'superlative';
}

function turnOf(row: Direction): (tree: SqlTree) => string | undefined {
  if (row.sign !== undefined) return (tree) => withTurnedComparison(tree, row.sign);
  return SORTS.includes(row) ? (tree) => withTurnedOrder(tree, false) : withTurnedExtreme;
}

/** “the most albums” turns to the fewest, as what is counted; “oldest” in dates and things to the newest. */
function turnedWords({ question, gold }: AlteredSite, { phrase, turned }: Direction, span: Span): string {
  const isUpper = /^\p{Lu}/u.test(question.slice(span.start));
  const order = nodesOf(gold, 'Ordered').map((node) => textOf(gold, node));
  const isCount = phrase === 'most' && order.some((text) => /\bcount\s*\(/i.test(text));
  const isAge = order.some((text) => /age|birth/i.test(text)) || /\b(?:age|birth)/i.test(gold.text);
  const plain =
    isCount && /s$/.test(wordAfter(question, span.end))
      ? 'fewest'
      : phrase === 'oldest' && !isAge
        ? 'newest'
        : turned;
  return isUpper ? (plain[0]?.toUpperCase() ?? '') + plain.slice(1) : plain;
}

/** The one comparison with less or more, where its sign is the one of the words. */
function withTurnedComparison(tree: SqlTree, sign: Direction['sign']): string | undefined {
  const [only, ...more] = nodesOf(tree, 'GT', 'LT', 'GTE', 'LTE');
  if (only === undefined || more.length > 0 || only.type !== sign || nodesOf(tree, 'Between').length > 0)
    return;
  // Dates: before a day is not the mirror image of after it.
  const side = child(only, 'expression');
  if (side !== undefined && /^'\d{4}-/.test(textOf(tree, side))) return;
  return withTurnedSign(tree, only);
}

/** The one MAX or MIN, or the one order of a limited list. */
function withTurnedExtreme(tree: SqlTree): string | undefined {
  const extremes = nodesOf(tree, 'Max', 'Min');
  const [extreme, ...more] = extremes;
  const isOrdered = nodesOf(tree, 'Ordered').length > 0;
  if (extreme === undefined) return withTurnedOrder(tree, true);
  if (more.length > 0 || isOrdered) return;
  const length = extreme.value?.length ?? 0;
  const span = { start: extreme.start, end: extreme.start + length };
  return withPatches(tree, [{ span, text: extreme.type === 'Max' ? 'MIN' : 'MAX' }]);
}

function withTurnedOrder(tree: SqlTree, isLimited: boolean): string | undefined {
  const [only, ...more] = nodesOf(tree, 'Ordered');
  const hasLimit = nodesOf(tree, 'Limit').length > 0;
  if (only === undefined || more.length > 0 || hasLimit !== isLimited) return;
  return withTurned(tree, only);
}

function withTurned(tree: SqlTree, ordered: SqlNode): string | undefined {
  if (ordered.flags.nulls !== undefined) return;
  if (ordered.flags.desc !== undefined) return withWord(tree, ordered, /\s+desc\b/, '');
  const key = child(ordered, 'this');
  if (key === undefined) return;
  return withPatches(tree, [{ span: { start: key.end, end: ordered.end }, text: ' DESC' }]);
}

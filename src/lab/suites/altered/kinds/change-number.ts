/** Another number, another n of a top n, another year. */

import type { Span } from '../../../../sql/dialects/index.ts';
import { ancestor, type SqlNode, type SqlTree } from '../../../../sql/tree/index.ts';
import type { Alteration, AlterationKind, AlteredSite, Made } from '../edits/alteration.ts';
import { replaceAt } from '../edits/question-text.ts';
import { isText, nodesOf, onlyNumber, withPatches, withText } from '../edits/sql-edits.ts';

const WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** One for each number that stands once in the question, once in the gold and once in the answer's query. */
export function changeNumbers(site: AlteredSite): readonly Made[] {
  const numbers = numbersIn(site.question);
  if (numbers.length === 0) return [];
  return numbers.map((number): Made => {
    // LIMIT 1 stands in queries whose question has no number, and the 1 of “line 1” is none of them.
    if (number.value <= 1) return { kind: 'number', because: 'a one may be no number of the query' };
    const again = numbers.filter(({ value }) => value === number.value).length > 1;
    const year = again ? undefined : changeYear(site, number);
    if (year !== undefined) return year;
    const gold = onlyNumber(site.gold, number.value);
    const own = onlyNumber(site.sql, number.value);
    if (again || gold === undefined || own === undefined)
      return { kind: 'number', because: 'the number does not stand once in question, gold and query' };
    return { variants: changed(site, number, { gold, own }) };
  });
}

interface AskedNumber {
  readonly span: Span;
  readonly value: number;
  readonly isWord: boolean;
}

function numbersIn(question: string): readonly AskedNumber[] {
  const digits = [...question.matchAll(/(?<![\p{L}\p{N}_.,:/-])\d+(?:\.\d+)?(?![\p{L}\p{N}_%:/-]|[.,]\d)/gu)];
  const words = [...question.matchAll(new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi'))];
  const spanOf = ({ index, 0: text }: RegExpExecArray): Span => ({ start: index, end: index + text.length });
  return [
    ...digits.map((match) => ({ span: spanOf(match), value: Number(match[0]), isWord: false })),
    ...words.map((match) => ({
      span: spanOf(match),
      value: WORDS.indexOf(match[0].toLowerCase()) + 2,
      isWord: true,
    })),
  ].sort((a, b) => a.span.start - b.span.start);
}

function changed(
  { question, gold, sql, dice }: AlteredSite,
  { span, value, isWord }: AskedNumber,
  nodes: { readonly gold: SqlNode; readonly own: SqlNode },
): readonly Alteration[] {
  const isLimit = ancestor(nodes.gold, ({ type }) => type === 'Limit') !== undefined;
  const kind: AlterationKind = isLimit ? 'top-n' : 'number';
  const others = isLimit ? [value + 1, value + 2, value + 4] : otherNumbers(value);
  return dice(`number ${span.start}`)
    .shuffle(others)
    .filter((other) => !isWord || (other >= 2 && other < WORDS.length + 2))
    .map((other) => ({
      ...{ kind, how: isWord ? 'word' : 'digits' },
      question: replaceAt(question, span, isWord ? (WORDS[other - 2] ?? '') : String(other)),
      due: {
        kind: 'changed',
        gold: withText(gold, nodes.gold, String(other)),
        sql: withText(sql, nodes.own, String(other)),
        literal: String(other),
      },
    }));
}

/** Near and far, so that one of them selects other rows; what may be a year stays one. */
function otherNumbers(value: number): readonly number[] {
  if (value >= 1900 && value <= 2100) return [-1, 1, -3, 3, -6].map((step) => value + step);
  const near = [value + 1, value - 1, value * 2, Math.floor(value / 2), value * 3, value * 10];
  return [...new Set(near)].filter((other) => other > 1 && other !== value);
}

/**
 * A year earlier, where the queries hold the year as dates of it and of the one after: `>= '2024-01-01' AND < '2025-01-01'`.
 * Undefined where the number is no such year.
 */
function changeYear(site: AlteredSite, { span, value, isWord }: AskedNumber): Made | undefined {
  if (isWord || value < 1900 || value > 2100) return;
  const [gold, sql] = [withYearBefore(site.gold, value), withYearBefore(site.sql, value)];
  if (gold === undefined || sql === undefined) return;
  const question = replaceAt(site.question, span, String(value - 1));
  const due = { kind: 'changed', gold, sql, literal: String(value - 1) } as const;
  return { variants: [{ kind: 'number', how: 'year', question, due }] };
}

function withYearBefore(tree: SqlTree, year: number): string | undefined {
  const texts = nodesOf(tree, 'Literal').filter(
    (node) => isText(node) && /^\d{4}(?:-|$)/.test(node.value ?? ''),
  );
  const numbers = nodesOf(tree, 'Literal').filter((node) => !isText(node) && Number(node.value) === year);
  if (texts.length === 0 || numbers.length > 0) return;
  const isOfYear = ({ value = '' }: SqlNode): boolean =>
    value.startsWith(String(year)) || value === `${year + 1}-01-01` || value === `${year - 1}-12-31`;
  if (!texts.every(isOfYear) || !texts.some(({ value }) => value?.startsWith(String(year)))) return;
  return withPatches(
    tree,
    texts.map(({ start, end, value = '' }) => ({
      span: { start, end },
      text: `'${Number(value.slice(0, 4)) - 1}${value.slice(4)}'`,
    })),
  );
}

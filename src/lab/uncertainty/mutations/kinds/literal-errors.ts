/** Values as a model guesses them. */

import { inQuotes } from '../../../../sql/dialects/index.ts';
import { child, type SqlNode } from '../../../../sql/tree/index.ts';
import { numbersOf, phraseAsAsked, phrasesOf } from '../site/asked-phrases.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pick, replace, type Site, textAt } from '../site/site.ts';

export const LITERAL_ERRORS: readonly Mutation<ErrorName>[] = [
  {
    name: 'literal-case',
    propose: (site) =>
      eachText(site, ({ node, value }) =>
        node.parent?.type === 'Like' ? undefined : otherCase(site, value),
      ),
  },
  {
    name: 'literal-as-asked',
    propose: (site) =>
      eachText(site, ({ value }) => phraseAsAsked(bare(value), site.asked.question, site.random())),
  },
  { name: 'literal-other', propose: (site) => eachText(site, ({ value }) => otherText(site, bare(value))) },
  {
    name: 'number-off',
    propose: (site) =>
      eachLiteral(site, ({ value, isText }) => (isText ? undefined : otherNumber(site, value))),
  },
  { name: 'date-format', propose: (site) => eachText(site, ({ value }) => pick(site, datesLike(value))) },
];

function eachText(site: Site, change: (literal: ComparedLiteral) => string | undefined): readonly Proposal[] {
  return eachLiteral(site, (literal) => (literal.isText ? change(literal) : undefined));
}

function eachLiteral(
  site: Site,
  change: (literal: ComparedLiteral) => string | undefined,
): readonly Proposal[] {
  return comparedLiterals(site).flatMap((literal) => {
    const value = change(literal);
    if (value === undefined || value === '' || value === bare(literal.value)) return [];
    // The wildcards of a pattern stay.
    const [before = '', after = ''] = [/^%/.exec(literal.value)?.[0], /%$/.exec(literal.value)?.[0]];
    return [{ node: literal.node, patches: [replace(literal.node, literal.write(before + value + after))] }];
  });
}

function bare(value: string): string {
  return value.replace(/^%|%$/g, '');
}

function otherCase(site: Site, value: string): string | undefined {
  const text = bare(value);
  const title = text.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
  return pick(
    site,
    [text.toLowerCase(), text.toUpperCase(), title, title].filter((other) => other !== text),
  );
}

/** Another phrase of the question, a part of the value, or its plural. */
function otherText(site: Site, value: string): string | undefined {
  const [first = '', ...others] = value.split(' ');
  const asked = phrasesOf(site.asked).filter((text) => text.toLowerCase() !== value.toLowerCase());
  const own =
    others.length > 0 ? [first, others.join(' ')] : [value.endsWith('s') ? value.slice(0, -1) : `${value}s`];
  return pick(site, asked.length > 0 && site.random() < 0.7 ? asked : own);
}

function otherNumber(site: Site, value: string): string | undefined {
  const number = Number(value);
  if (!Number.isFinite(number)) return;
  const asked = numbersOf(site.asked).filter((other) => Number(other) !== number);
  // A share may be meant in per cent.
  const scaled = Number.isInteger(number) ? number * 10 : number * 100;
  const near = [number - 1, number + 1, scaled].filter((other) => other !== number && Math.abs(other) < 1e15);
  const texts = near.map((other) => String(Number(other.toFixed(6))));
  return pick(site, asked.length > 0 && site.random() < 0.6 ? asked : texts);
}

const DATE = /^(\d{4})([-/]?)(\d{2})(?:\2(\d{2}))?(.*)$/;

/** `2010-07-21` → `2010/07/21`, `21-07-2010`, `2010-7-21`, `2010-07-21 00:00:00`, … */
export function datesLike(value: string): readonly string[] {
  const [, year, sign = '', month, day, rest = ''] = DATE.exec(value) ?? [];
  if (year === undefined || month === undefined || Number(month) > 12 || Number(month) === 0) return [];
  const other = sign === '-' ? '/' : '-';
  if (day === undefined)
    return rest === '' ? [`${year}${sign === '' ? '-' : ''}${month}`, `${year}${other}${month}`, year] : [];
  const plain = Number(month);
  const forms = [
    `${year}${other}${month}${other}${day}`,
    `${day}${sign}${month}${sign}${year}`,
    `${year}-${plain}-${Number(day)}`,
    `${plain}/${Number(day)}/${year}`,
    `${year}-${month}-${day}${rest === '' ? ' 00:00:00' : ''}`,
    year,
  ];
  return forms.filter((form) => form !== value);
}

/** Literals that columns are compared with. */
interface ComparedLiteral {
  readonly node: SqlNode;
  readonly value: string;
  readonly isText: boolean;
  /** The same literal with another value, in the quotes it stands in. */
  readonly write: (value: string) => string;
}

const COMPARING: ReadonlySet<string> = new Set(
  'EQ NEQ GT GTE LT LTE Like ILike Glob In Between Is'.split(' '),
);

/** In SQLite a text may stand in double quotes, where the tree has a Column. */
export function comparedLiterals({ tree, scopes }: Site): readonly ComparedLiteral[] {
  return tree.nodes.flatMap((node): ComparedLiteral[] => {
    if (node.parent === undefined || !COMPARING.has(node.parent.type)) return [];
    const isText = node.type === 'Literal' && node.flags.string !== undefined;
    const isNamed = node.type === 'Column' && scopes.references[node.id]?.kind === 'text';
    const value = isNamed ? child(node, 'this')?.value : node.value;
    if (value === undefined || (node.type !== 'Literal' && !isNamed)) return [];
    if (!isText && !isNamed) return [{ node, value, isText: false, write: (text: string) => text }];
    const quote = isNamed ? '"' : "'";
    const write = (text: string): string => inQuotes(text, quote);
    return [{ node, value, isText: true, write }];
  });
}

/** What stands between two parts of an operator: `>`, `NOT LIKE`. */
export function between(site: Site, left: SqlNode, right: SqlNode): string {
  return site.tree.text.slice(left.end, right.start);
}

/** Text of an operand that keeps its meaning beside any operator. */
export function operandText(site: Site, node: SqlNode): string {
  const isPlain = node.children.length === 0 || ['Column', 'Paren', 'Subquery'].includes(node.type);
  const isCall = node.flags.call !== undefined;
  return isPlain || isCall ? textAt(site, node) : `(${textAt(site, node)})`;
}

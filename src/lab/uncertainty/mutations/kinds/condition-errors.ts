/** Operators and conditions. */

import { inQuotes } from '../../../../sql/dialects/index.ts';
import { child, type SqlNode } from '../../../../sql/tree/index.ts';
import { numbersOf, phrasesOf } from '../site/asked-phrases.ts';
import type { ErrorName, Mutation, Proposal } from '../site/mutation.ts';
import { pickWeighted } from '../site/near-columns.ts';
import {
  columnText,
  conjunctsOf,
  pick,
  replace,
  type Site,
  tableOf,
  tablesOf,
  textAt,
  withCondition,
  withoutConjunct,
} from '../site/site.ts';
import { between, comparedLiterals } from './literal-errors.ts';

export const CONDITION_ERRORS: readonly Mutation<ErrorName>[] = [
  {
    name: 'operator-changed',
    propose: (site) => site.tree.nodes.flatMap((node) => changeOperator(site, node) ?? []),
  },
  { name: 'and-or', propose: (site) => site.tree.nodes.flatMap((node) => swapConnective(site, node) ?? []) },
  {
    name: 'condition-missing',
    propose: (site) => conditionsOf(site).flatMap((node) => dropCondition(site, node)),
  },
  {
    name: 'condition-added',
    propose: (site) => site.selects.flatMap((select) => addCondition(site, select)),
  },
  { name: 'not-null-added', propose: (site) => site.selects.flatMap((select) => addNotNull(site, select)) },
];

const OTHER_SIGNS: Readonly<Record<string, readonly string[]>> = {
  GT: ['>=', '>=', '<'],
  GTE: ['>', '>', '<='],
  LT: ['<=', '<=', '>'],
  LTE: ['<', '<', '>='],
  NEQ: ['='],
};

function changeOperator(site: Site, node: SqlNode): Proposal | undefined {
  const [left, right] = node.children;
  if (left === undefined || right === undefined) return;
  const gap = { start: left.end, end: right.start };
  const sign = pick(site, OTHER_SIGNS[node.type] ?? []);
  if (sign !== undefined) return { node, patches: [replace(gap, ` ${sign} `)] };
  switch (node.type) {
    case 'EQ':
      return asPattern(site, node, right);
    case 'Like':
      return fromPattern(site, node, right);
    case 'Between': {
      const [low, high] = [child(node, 'low'), child(node, 'high')];
      if (low === undefined || high === undefined || node.parent?.type === 'Not') return;
      const text = textAt(site, left);
      return {
        node,
        patches: [replace(node, `(${text} > ${textAt(site, low)} AND ${text} < ${textAt(site, high)})`)],
      };
    }
    case 'In':
    case 'Is':
      return flipNot(site, node, gap);
    default:
      return;
  }
}

/** `= 'x'` → `LIKE '%x%'`. */
function asPattern(site: Site, node: SqlNode, right: SqlNode): Proposal | undefined {
  const literal = comparedLiterals(site).find((each) => each.node === right);
  if (literal?.isText !== true || !/^\s*={1,2}\s*$/.test(between(site, node.children[0]!, right))) return;
  const gap = { start: node.children[0]!.end, end: node.end };
  return { node, patches: [replace(gap, ` LIKE ${literal.write(`%${literal.value}%`)}`)] };
}

/** `LIKE '%x%'` → `= 'x'`. */
function fromPattern(site: Site, node: SqlNode, right: SqlNode): Proposal | undefined {
  const literal = comparedLiterals(site).find((each) => each.node === right);
  const left = node.children[0];
  if (literal === undefined || left === undefined || !/^\s*like\s*$/i.test(between(site, left, right)))
    return;
  const value = literal.value.replace(/^%|%$/g, '');
  return { node, patches: [replace({ start: left.end, end: node.end }, ` = ${literal.write(value)}`)] };
}

/** `NOT IN (` → `IN (`, `IS NULL` → `IS NOT NULL`. */
function flipNot(site: Site, node: SqlNode, gap: { start: number; end: number }): Proposal | undefined {
  const text = site.tree.text.slice(gap.start, gap.end);
  const turned = /\bnot\s/i.test(text)
    ? text.replace(/\bnot\s+/i, '')
    : text.replace(/\b(in|is)\b/i, (word) => (word.toLowerCase() === 'in' ? `NOT ${word}` : `${word} NOT`));
  return turned === text ? undefined : { node, patches: [replace(gap, turned)] };
}

function swapConnective(site: Site, node: SqlNode): Proposal | undefined {
  const [left, right] = node.children;
  if ((node.type !== 'And' && node.type !== 'Or') || left === undefined || right === undefined) return;
  const text = between(site, left, right);
  const turned = node.type === 'And' ? text.replace(/\band\b/i, 'OR') : text.replace(/\bor\b/i, 'AND');
  return turned === text
    ? undefined
    : { node, patches: [replace({ start: left.end, end: right.start }, turned)] };
}

/** Links of the chains in WHERE and HAVING, and of OR within them; what joins two columns is no condition here. */
function conditionsOf({ tree }: Site): readonly SqlNode[] {
  return tree.nodes.flatMap((node) => {
    const [held] = node.children;
    if (node.type === 'Or') return node.children;
    if ((node.type !== 'Where' && node.type !== 'Having') || held === undefined) return [];
    return conjunctsOf(held).filter((each) => !each.children.every(({ type }) => type === 'Column'));
  });
}

function dropCondition(site: Site, node: SqlNode): readonly Proposal[] {
  const { parent } = node;
  const other = parent?.type === 'Or' ? parent.children.find((each) => each !== node) : undefined;
  const patch = parent && other ? replace(parent, textAt(site, other)) : withoutConjunct(site, node);
  return patch === undefined ? [] : [{ node, patches: [patch] }];
}

/** A condition that the words of the question suggest, over a column that they name. */
function addCondition(site: Site, select: SqlNode): readonly Proposal[] {
  const columns = tablesOf(site, select).flatMap((source) =>
    (tableOf(site, source)?.columns ?? []).map((column) => {
      const words = [...site.schema.wordsOf(column)];
      const asked = words.filter((word) => site.askedWords.has(word)).length / Math.max(1, words.length);
      return [{ source, column }, 0.02 + asked ** 2] as const;
    }),
  );
  const chosen = pickWeighted(site.random, columns);
  if (chosen === undefined) return [];
  const isNumber = chosen.column.family === 'number';
  const value = isNumber
    ? (pick(site, numbersOf(site.asked)) ?? pick(site, ['0', '1']))
    : (pick(site, phrasesOf(site.asked)) ?? pick(site, ['Yes', 'Active', 'Y']));
  const sign = isNumber ? pick(site, ['=', '=', '>', '>=', '<']) : '=';
  const text = isNumber ? value : inQuotes(value ?? '', "'");
  return added(select, `${columnText(site, chosen.source, chosen.column)} ${sign} ${text}`);
}

function addNotNull(site: Site, select: SqlNode): readonly Proposal[] {
  const sources = new Set(tablesOf(site, select));
  const use = pick(
    site,
    site.uses.filter(({ source }) => sources.has(source)),
  );
  return use === undefined ? [] : added(select, `${textAt(site, use.node)} IS NOT NULL`);
}

function added(select: SqlNode, condition: string): readonly Proposal[] {
  const patch = withCondition(select, condition);
  return patch === undefined ? [] : [{ node: select, patches: [patch] }];
}

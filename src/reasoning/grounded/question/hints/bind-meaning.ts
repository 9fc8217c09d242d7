/** The formal side of a statement, already SQL, to what it means. */

import { inQuotes } from '../../../../sql/dialects/index.ts';
import { parse } from '../../../../sql/index.ts';
import type { AggregateFunction, Expression } from '../../../../sql/print/index.ts';
import { child, childrenIn, type SqlNode, type SqlTree, textOf } from '../../../../sql/tree/index.ts';
import type {
  Condition,
  DefinedCondition,
  DefinedFigure,
  DefinedHaving,
  DefinedRanking,
  Meaning,
} from '../mention/definition.ts';
import { bindConditions, hasAggregate } from './bind-conditions.ts';
import { bindExpression, callName, isCondition } from './bind-expression.ts';
import { type Binding, columnsOf, toPredicate } from './binding.ts';
import type { HintNames } from './hint-names.ts';
import { outside } from './split-hint.ts';

const AGGREGATES: Readonly<Record<string, AggregateFunction>> = {
  Sum: 'sum',
  Avg: 'avg',
  Count: 'count',
  Max: 'max',
  Min: 'min',
};

interface Parts {
  columns: Meaning['columns'][number][];
  conditions: Condition[];
  joins: (readonly [string, string])[];
  ranking?: DefinedRanking;
  figure?: DefinedFigure;
  having?: DefinedHaving;
}

/** `"MAX(height) where race = 'Elf'"` → a ranking with a condition; undefined where any part is not understood. */
export function bindMeaning(text: string, names: HintNames, now: Date): Meaning | undefined {
  const parts: Parts = { columns: [], conditions: [], joins: [] };
  const written = splitWhere(text);
  for (const part of written) {
    const [, body = part, direction] = /^(.*?)\s+(ASC|DESC)$/i.exec(part) ?? [];
    const parsed = parse(`SELECT ${formalText(body, names)}`, 'sqlite');
    if (!parsed.ok || parsed.tree.root.type !== 'Select') return undefined;
    if (parsed.tree.root.children.some(({ role }) => role !== 'expressions')) return undefined;
    for (const node of childrenIn(parsed.tree.root, 'expressions'))
      if (!addNode(node, parsed.tree, parts, { names, now })) return undefined;
    if (direction !== undefined && !rankFigure(parts, direction)) return undefined;
  }
  return written.length === 0
    ? undefined
    : { ...parts, conditions: parts.conditions.map((each) => settle(each, names)) };
}

function settle(condition: Condition, names: HintNames): DefinedCondition {
  const tables = new Set<string>();
  const predicate = toPredicate(condition, { names, tables });
  return { predicate, tables: [...tables], ...(condition.kind === 'literal' && { literal: condition }) };
}

type Given = Pick<Binding, 'names' | 'now'>;

function addNode(node: SqlNode, tree: SqlTree, parts: Parts, given: Given): boolean {
  if (node.type === 'Alias') {
    // Two words side by side are prose, not a name for a column.
    const inner = child(node, 'this');
    return inner !== undefined && /\bas\b/i.test(textOf(tree, node)) && addNode(inner, tree, parts, given);
  }
  if (isColumnList(node, given) || ['Paren', 'Tuple', 'And'].includes(node.type))
    return node.children.every((part) => addNode(part, tree, parts, given));
  const binding: Binding = { ...given, tables: new Set(), inside: [], conditions: bindConditions };
  const columns = columnsOf(node, binding);
  if (columns.length > 0) {
    parts.columns.push(columns);
    return true;
  }
  return (
    addChain(node, parts, binding) || addComparison(node, parts, binding) || addFigure(node, parts, binding)
  );
}

/** `atom_id OR atom_id2`, `city + country`: both. */
function isColumnList(node: SqlNode, given: Given): boolean {
  const isList = node.type === 'Or' || node.type === 'Add';
  return (
    isList &&
    node.children.every((part) => {
      const [column] = columnsOf(part, given);
      return (
        isColumnList(part, given) ||
        (column !== undefined && (node.type === 'Or' || column.family === 'text'))
      );
    })
  );
}

/** `colour.id = eye_colour_id = 7`: two conditions in one. */
function addChain(node: SqlNode, parts: Parts, binding: Binding): boolean {
  const [left, right] = [child(node, 'this'), child(node, 'expression')];
  if (node.type !== 'EQ' || left?.type !== 'EQ' || right === undefined) return false;
  const value = columnsOf(child(left, 'expression'), binding);
  const literal = bindExpression(right, binding);
  if (value.length === 0 || literal?.kind !== 'literal') return false;
  if (literal.value === null || typeof literal.value === 'boolean') return false;
  parts.conditions.push({
    kind: 'literal',
    columns: value,
    operator: '=',
    values: [literal.value],
    isNegated: false,
  });
  return addComparison(left, parts, binding);
}

function addComparison(node: SqlNode, parts: Parts, binding: Binding): boolean {
  if (!isCondition(node)) return false;
  const [left, right] = [child(node, 'this'), child(node, 'expression')];
  const [one, other] = [columnsOf(left, binding), columnsOf(right, binding)];
  if (node.type === 'EQ' && one.length > 0 && other.length > 0) {
    const keys = one.flatMap((from) =>
      other.flatMap((to) =>
        binding.names.referred(from).includes(to) || binding.names.referred(to).includes(from)
          ? [[from.id, to.id] as const]
          : [],
      ),
    );
    parts.joins.push(...keys.slice(0, 1));
    if (keys.length > 0) return true;
  }
  // `salary = MAX(salary)` ranks.
  if (node.type === 'EQ' && one.length > 0 && right !== undefined && addRanking(right, parts, binding))
    return true;
  if (addHaving(node, parts, binding)) return true;
  const conditions = bindConditions(node, binding);
  parts.conditions.push(...(conditions ?? []));
  return conditions !== undefined;
}

const HAVING = { EQ: '=', GT: '>', GTE: '>=', LT: '<', LTE: '<=', NEQ: '<>' } as const;

/** `COUNT(id) > 15`: a condition on what is aggregated. */
function addHaving(node: SqlNode, parts: Parts, binding: Binding): boolean {
  const operator = Object.hasOwn(HAVING, node.type) ? HAVING[node.type as keyof typeof HAVING] : undefined;
  const [left, right] = [child(node, 'this'), child(node, 'expression')];
  const number = right === undefined ? undefined : bindExpression(right, binding);
  if (
    operator === undefined ||
    left === undefined ||
    number?.kind !== 'literal' ||
    typeof number.value !== 'number'
  )
    return false;
  const figure = figureOf(left, binding);
  if (figure?.kind !== 'aggregate') return false;
  parts.having = { aggregate: figure.function, columns: figure.columns, operator, number: number.value };
  return true;
}

function addFigure(node: SqlNode, parts: Parts, binding: Binding): boolean {
  if (addRanking(node, parts, binding)) return true;
  const figure = figureOf(node, binding);
  if (figure === undefined || parts.figure !== undefined) return false;
  parts.figure = figure;
  return true;
}

/** `MAX(COUNT(id))`, `MIN(price)`. */
function addRanking(node: SqlNode, parts: Parts, binding: Binding): boolean {
  const name = callName(node);
  if ((name !== 'Max' && name !== 'Min') || parts.ranking !== undefined) return false;
  const inner = child(node, 'this');
  const direction = name === 'Max' ? 'desc' : 'asc';
  const columns = columnsOf(inner, binding);
  if (columns.length > 0) parts.ranking = { direction, columns };
  const figure = inner === undefined || columns.length > 0 ? undefined : figureOf(inner, binding);
  if (figure?.kind === 'aggregate')
    parts.ranking = { direction, columns: figure.columns, aggregate: figure.function };
  if (figure?.kind === 'expression') parts.ranking = { direction, columns: [], figure };
  return parts.ranking !== undefined;
}

/** `COUNT(id) DESC`. */
function rankFigure(parts: Parts, direction: string): boolean {
  const { figure } = parts;
  if (figure?.kind !== 'aggregate') return parts.columns.length > 0;
  delete parts.figure;
  parts.ranking = {
    direction: /desc/i.test(direction) ? 'desc' : 'asc',
    columns: figure.columns,
    aggregate: figure.function,
  };
  return true;
}

function figureOf(node: SqlNode, binding: Binding): DefinedFigure | undefined {
  const name = AGGREGATES[callName(node)];
  const operand = child(node, 'this');
  const isDistinct = operand?.type === 'Distinct';
  const inner = isDistinct ? childrenIn(operand, 'expressions')[0] : operand;
  const columns = columnsOf(inner, binding);
  if (name !== undefined && columns.length > 0)
    return { kind: 'aggregate', function: name, isDistinct, columns };
  const mean = meanOf(node, binding);
  if (mean !== undefined) return mean;
  const expression = bindExpression(node, binding);
  if (expression === undefined || !isFigure(expression)) return undefined;
  return { kind: 'expression', expression, tables: [...binding.tables], inside: binding.inside };
}

/** `DIVIDE(SUM(cost), COUNT(id))` over one table is the mean of `cost`. */
function meanOf(node: SqlNode, binding: Binding): DefinedFigure | undefined {
  const isRatio = callName(node) === 'DIVIDE' || node.type === 'Div';
  const [sum, count] = node.children.map((part) =>
    part.type === 'Sum' || part.type === 'Count' ? part : undefined,
  );
  if (!isRatio || sum?.type !== 'Sum' || count?.type !== 'Count') return undefined;
  const [added, counted] = [columnsOf(child(sum, 'this'), binding), columnsOf(child(count, 'this'), binding)];
  const isOne = counted.some(
    (column) => column.tableId === added[0]?.tableId && (column === added[0] || !column.isNullable),
  );
  return isOne ? { kind: 'aggregate', function: 'avg', isDistinct: false, columns: added } : undefined;
}

/** A figure says something of rows or of one row's columns; a literal alone says nothing. */
function isFigure(expression: Expression): boolean {
  return expression.kind === 'arithmetic' || hasAggregate(expression);
}

// The formal side of a statement as SQL: what people write beside SQL is put into its words.

const CALL = /([A-Za-z_]+)\s*\(/y;

/**
 * `SUM(a where b = 1)` → `SUM(CASE WHEN b = 1 THEN a END)`; names of several words are quoted. A `where` outside all
 * brackets is left to the caller.
 */
function formalText(text: string, names: HintNames): string {
  // A text is subtracted from nothing: the sign was meant to be the other one.
  const equal = doubleQuotes(text).replace(/([\w)])\s*-\s*(?=')/g, '$1 = ');
  return conditionsInside(quoteNames(equal, names));
}

/** The text before and behind each `where` that stands in no brackets and no quotes. */
function splitWhere(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth } of outside(text)) {
    if (depth > 0 || !/^where\b/i.test(text.slice(at, at + 6)) || /\w/.test(text[at - 1] ?? '')) continue;
    parts.push(text.slice(start, at));
    start = at + 5;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

/** `'Women's Soccer'` → `'Women''s Soccer'`. */
function doubleQuotes(text: string): string {
  return text.replace(/'((?:[^']|(?<=\p{L})'(?=\p{L}))*)'/gu, (_all, inner: string) => inQuotes(inner, "'"));
}

function conditionsInside(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; ) {
    CALL.lastIndex = at;
    const call = CALL.exec(text);
    const isWordStart = !/\w/.test(text[at - 1] ?? '');
    const end = call === null || !isWordStart ? undefined : closingBracket(text, CALL.lastIndex - 1);
    if (call === null || end === undefined) {
      written += text[at];
      at += 1;
      continue;
    }
    const inner = conditionsInside(text.slice(CALL.lastIndex, end));
    written += `${call[1]}(${splitArguments(inner).map(asCase).join(', ')})`;
    at = end + 1;
  }
  return written;
}

/** The arguments of a call. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, character, depth } of outside(text)) {
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}

function asCase(text: string): string {
  const [value, ...conditions] = splitWhere(text);
  return conditions.length === 0 ? text : `CASE WHEN ${conditions.join(' AND ')} THEN ${value} END`;
}

function closingBracket(text: string, open: number): number | undefined {
  for (const { at, character, depth } of outside(text.slice(open)))
    if (character === ')' && depth === 0) return open + at;
  return undefined;
}

const MAX_NAME_WORDS = 4;

/** `first name` → `"first_name"` where the catalog has one. */
function quoteNames(text: string, names: HintNames): string {
  const plain = text.split(/('(?:[^']|'')*'|"[^"]*"|`[^`]*`)/);
  return plain.map((part, index) => (index % 2 === 1 ? part : quoteWithin(part, names))).join('');
}

function quoteWithin(text: string, names: HintNames): string {
  const words = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_#-]*/gu)];
  let written = '';
  let from = 0;
  for (let i = 0; i < words.length; ) {
    const length = nameLength(text, words, i, names);
    const [first, last] = [words[i], words[i + length - 1]];
    if (first === undefined || last === undefined) break;
    const end = last.index + last[0].length;
    const name = text.slice(first.index, end);
    const column = length === 1 && /^\w+$/.test(name) ? undefined : names.columns(name)[0];
    written += text.slice(from, first.index) + (column === undefined ? name : `"${column.name}"`);
    from = end;
    i += length;
  }
  return written + text.slice(from);
}

function nameLength(text: string, words: readonly RegExpExecArray[], at: number, names: HintNames): number {
  for (let length = MAX_NAME_WORDS; length > 1; length -= 1) {
    const [first, last] = [words[at], words[at + length - 1]];
    if (first === undefined || last === undefined) continue;
    const name = text.slice(first.index, last.index + last[0].length);
    if (/^[^\s,.()=<>]+(?: [^\s,.()=<>]+)+$/.test(name) && names.columns(name).length > 0) return length;
  }
  return 1;
}

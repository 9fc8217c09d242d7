/** Which of our errors stand between a gold query and a wrong one of a model: what `error-rates.ts` is counted from. */

import type { ReadQuery } from '../../../faults/reading/index.ts';
import type { Edit as QueryEdit } from '../../../sql/compare/index.ts';
import { diff } from '../../../sql/index.ts';
import { resolverFromScopes } from '../../../sql/normal/index.ts';
import { type SqlNode, walk } from '../../../sql/tree/index.ts';
import { datesLike } from './kinds/literal-errors.ts';
import type { ErrorName } from './site/mutation.ts';

/** `other`: a difference that none of the kinds describes. */
export type FoundError = ErrorName | 'other';

/** The errors of a query beside its gold, one for each edit and no more of what follows from another; best effort. */
export function classifyErrors(gold: ReadQuery, wrong: ReadQuery, question: string): readonly FoundError[] {
  const resolve = (tree: ReadQuery['tree']) => resolverFromScopes((tree === gold.tree ? gold : wrong).scopes);
  const difference = diff(gold.tree, wrong.tree, { resolve });
  if (difference.kind !== 'compared' || difference.isSame) return [];
  const [lost, gained] = apart(tablesIn(gold), tablesIn(wrong));
  const comparing: Comparing = { gold, wrong, question, moved: new Set([...lost, ...gained]) };
  const joins = tableErrors(lost, gained, wrong);
  const found = [
    ...joins,
    ...unknownNames(wrong),
    ...difference.edits.flatMap((edit) => ofEdit(comparing, edit)),
  ];
  // A limit comes and goes with its order.
  return found.filter((error) => !found.some((other) => ORDER_OF[error] === other));
}

const ORDER_OF: Partial<Readonly<Record<FoundError, FoundError>>> = {
  'limit-added': 'order-added',
  'limit-missing': 'order-missing',
};

interface Comparing {
  readonly gold: ReadQuery;
  readonly wrong: ReadQuery;
  readonly question: string;
  /** Tables that one side reads and the other does not: what is said of their columns follows. */
  readonly moved: ReadonlySet<string>;
}

function tableErrors(lost: readonly string[], gained: readonly string[], wrong: ReadQuery): FoundError[] {
  const swapped = Math.min(lost.length, gained.length);
  return [
    ...Array<FoundError>(swapped).fill('table-swapped'),
    ...Array<FoundError>(lost.length - swapped).fill('join-missing'),
    ...gained
      .slice(swapped)
      .map((table) => (isReadBeyondJoin(wrong, table) ? 'column-behind-join' : 'join-added')),
  ];
}

function isReadBeyondJoin({ tree, scopes }: ReadQuery, table: string): boolean {
  return tree.nodes.some(({ id, type, parent }) => {
    const isOf = scopes.references[id]?.lineage.physical.some((column) => column.table.id === table) === true;
    return type === 'Column' && isOf && parent?.role !== 'on';
  });
}

function unknownNames({ tree, scopes }: ReadQuery): FoundError[] {
  return tree.nodes.flatMap((node): FoundError[] => {
    if (scopes.sources[node.id]?.kind === 'unknown-table') return ['table-invented'];
    const reference = scopes.references[node.id];
    if (reference?.kind !== 'unknown') return [];
    const name = reference.node.value?.toLowerCase() ?? '';
    const isElsewhere = scopes.all.some(({ sources }) =>
      sources.some(({ columns }) => columns.byKey.has(name)),
    );
    return [reference.missing === 'column' && !isElsewhere ? 'column-invented' : 'qualifier-wrong'];
  });
}

const REMOVED: Readonly<Record<string, FoundError>> = {
  where: 'condition-missing',
  having: 'condition-missing',
  on: 'join-condition-missing',
  select: 'select-missing',
  distinct: 'distinct-missing',
  group: 'group-missing',
  order: 'order-missing',
  limit: 'limit-missing',
};
const ADDED: Readonly<Record<string, FoundError>> = {
  where: 'condition-added',
  having: 'condition-added',
  select: 'select-added',
  distinct: 'distinct-added',
  group: 'group-added',
  order: 'order-added',
  limit: 'limit-added',
};

function ofEdit(comparing: Comparing, edit: QueryEdit): readonly FoundError[] {
  const { clause } = edit;
  // What happened to tables and the conditions that joined them is counted by the tables.
  if (clause === 'from' || (clause === 'on' && comparing.moved.size > 0)) return [];
  switch (edit.kind) {
    case 'removed':
      return [REMOVED[clause] ?? 'other'];
    case 'added':
      if (edit.after.type === 'Not' && edit.after.children[0]?.type === 'Is') return ['not-null-added'];
      return [ADDED[clause] ?? 'other'];
    case 'moved':
      return moved(edit);
    default:
      return changed(comparing, edit);
  }
}

function moved({ clause, before, after }: Extract<QueryEdit, { kind: 'moved' }>): readonly FoundError[] {
  // The order of what is shown is no error here.
  if (clause === 'select') return [];
  if (inClause(before, 'Having') && inClause(after, 'Where')) return ['having-in-where'];
  if (inClause(before, 'Where') && inClause(after, 'Having')) return ['where-in-having'];
  return clause === 'order' ? ['order-key'] : ['other'];
}

function inClause(node: SqlNode, type: string): boolean {
  for (let at: SqlNode | undefined = node; at !== undefined; at = at.parent)
    if (at.type === type) return true;
  return false;
}

function changed(
  comparing: Comparing,
  { clause, before, after }: Extract<QueryEdit, { kind: 'changed' }>,
): readonly FoundError[] {
  if (clause === 'limit') return ['limit-number'];
  const columns = columnErrors(comparing, before, after);
  if (clause === 'on') return columns.length > 0 ? ['join-key-wrong'] : ['other'];
  if (clause === 'group') return ['group-key-changed'];
  const found = [
    ...(clause === 'order' && columns.length > 0 ? (['order-key'] as const) : columns),
    ...literalErrors(comparing, before, after),
    ...shapeErrors(before, after),
  ];
  if (found.length > 0 || touches(comparing, before, after) || isUnknown(comparing.wrong, after))
    return found;
  const isSwap = before.type === after.type && (before.type === 'Div' || before.type === 'Sub');
  return [isSwap ? 'operands-swapped' : 'other'];
}

function touches({ gold, wrong, moved: tables }: Comparing, before: SqlNode, after: SqlNode): boolean {
  return [...columnsIn(gold, before), ...columnsIn(wrong, after)].some((id) => tables.has(tableOfId(id)));
}

/** Names that mean nothing are counted for the whole query. */
function isUnknown({ scopes }: ReadQuery, node: SqlNode): boolean {
  return [...walk(node)].some(({ id }) => scopes.references[id]?.kind === 'unknown');
}

function columnErrors(
  { gold, wrong, moved: tables }: Comparing,
  before: SqlNode,
  after: SqlNode,
): FoundError[] {
  const [lost, gained] = apart(columnsIn(gold, before), columnsIn(wrong, after));
  return lost.flatMap((id, at): FoundError[] => {
    const other = gained[at];
    if (other === undefined || tables.has(tableOfId(id)) || tables.has(tableOfId(other))) return [];
    const [name, otherName] = [id, other].map((each) => each.slice(each.lastIndexOf('.') + 1));
    if (tableOfId(id) !== tableOfId(other))
      return [name === otherName ? 'column-of-same-name' : 'column-of-other-table'];
    const words = new Set(name?.split(/[^\p{L}\p{N}]+/u));
    return [
      otherName?.split(/[^\p{L}\p{N}]+/u).some((word) => words.has(word))
        ? 'column-like-it'
        : 'column-of-same-table',
    ];
  });
}

function literalErrors({ question }: Comparing, before: SqlNode, after: SqlNode): FoundError[] {
  const [lost, gained] = apart(literalsIn(before), literalsIn(after));
  return lost.flatMap((value, at): FoundError[] => {
    const other = gained[at];
    if (other === undefined) return [];
    if (value.toLowerCase() === other.toLowerCase()) return ['literal-case'];
    // Wildcards come with the operator.
    if (value.replaceAll('%', '') === other.replaceAll('%', '')) return [];
    if (Number.isFinite(Number(value)) && Number.isFinite(Number(other))) return ['number-off'];
    if (datesLike(value).length > 0) return ['date-format'];
    return [question.toLowerCase().includes(other.toLowerCase()) ? 'literal-as-asked' : 'literal-other'];
  });
}

const AGGREGATES: ReadonlySet<string> = new Set(['Count', 'Sum', 'Avg', 'Max', 'Min']);
const COMPARISONS: ReadonlySet<string> = new Set('EQ NEQ GT GTE LT LTE Like In Between Is'.split(' '));

/** What the two have in other operators and calls. */
function shapeErrors(before: SqlNode, after: SqlNode): FoundError[] {
  const [lost, gained] = apart(typesIn(before), typesIn(after));
  const lacks = (types: ReadonlySet<string>): boolean => lost.some((type) => types.has(type));
  const has = (types: ReadonlySet<string>): boolean => gained.some((type) => types.has(type));
  const found: FoundError[] = [];
  if (lacks(AGGREGATES)) found.push(has(AGGREGATES) ? 'aggregate-changed' : 'aggregate-missing');
  else if (has(AGGREGATES)) found.push('aggregate-added');
  if (lost.includes('Distinct')) found.push('count-distinct-missing');
  if (gained.includes('Distinct')) found.push('count-distinct-added');
  if (lacks(COMPARISONS) && has(COMPARISONS)) found.push('operator-changed');
  if (lost.includes('Cast') && !gained.includes('Cast')) found.push('cast-missing');
  if (lost.includes('hundred')) found.push('percent-missing');
  if (gained.includes('hundred')) found.push('percent-added');
  if (lost.some(isConnective) && gained.some(isConnective)) found.push('and-or');
  if (before.type === 'Ordered' && before.flags.desc !== after.flags.desc) found.push('order-direction');
  return found;
}

function isConnective(type: string): boolean {
  return type === 'And' || type === 'Or';
}

function tablesIn({ scopes }: ReadQuery): string[] {
  return scopes.all.flatMap(({ sources }) => sources.flatMap(({ table }) => table?.id ?? []));
}

function columnsIn({ scopes }: ReadQuery, node: SqlNode): string[] {
  return [...walk(node)].flatMap(({ id, type }) =>
    type === 'Column'
      ? (scopes.references[id]?.lineage.physical.slice(0, 1).map((column) => column.id) ?? [])
      : [],
  );
}

function literalsIn(node: SqlNode): string[] {
  return [...walk(node)].flatMap(({ type, value }) =>
    type === 'Literal' && value !== undefined ? [value] : [],
  );
}

function typesIn(node: SqlNode): string[] {
  return [...walk(node)].map(({ type, value }) =>
    type === 'Literal' && Number(value) === 100 ? 'hundred' : type,
  );
}

function tableOfId(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}

/** What only the one bag has, and what only the other. */
function apart(one: readonly string[], other: readonly string[]): [lost: string[], gained: string[]] {
  const gained = [...other];
  const lost = one.filter((each) => {
    const at = gained.indexOf(each);
    if (at >= 0) gained.splice(at, 1);
    return at < 0;
  });
  return [lost, gained];
}

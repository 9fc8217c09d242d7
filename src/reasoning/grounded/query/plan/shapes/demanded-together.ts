import type { Column } from '../../../../../catalog/index.ts';
import { displayColumns } from '../../../question/mention/display-columns.ts';
import type { Bound, BoundFilter } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { joinTree } from '../../graph/join-tree.ts';
import type { Edge, SchemaGraph } from '../../graph/schema-graph.ts';
import { neededTables } from '../parts/plan-view.ts';

/** How two conditions that no row can pass together are meant. */
export type Together =
  /** What the second gives is taken out of what the first gives. */
  | { readonly kind: 'differ'; readonly sides: readonly [Bound, Bound] }
  /** The sets of both must meet: the same question once for each. */
  | { readonly kind: 'meet'; readonly sides: readonly [Bound, Bound] }
  /** The same question, put so that one query answers it. */
  | { readonly kind: 'rewritten'; readonly bound: Bound };

/**
 * "tea and coffee both", "countries with a singer above 40 and one below 30": no single row holds two values of one
 * column. What is shown must have rows of either kind; a row itself can only have one. Null when nothing clashes.
 */
export function demandedTogether(bound: Bound, context: ResolveContext): Together | null {
  const apart = setApart(bound, context.graph);
  if (apart !== null) return apart;
  const pair = explicitPair(bound) ?? clashingPair(bound);
  const listed = pair === null ? listedTogether(bound, context) : null;
  if (listed !== null) return listed;
  if (pair === null) return null;
  const [first, second] = pair;
  const others = bound.filters.filter((filter) => filter !== first && filter !== second);
  const isMany = isManySide(first, bound, context);
  const isFigure = bound.projections.some((item) => item.aggregate !== undefined);
  if (isMany && (isFigure || isLoose(bound, context)))
    return { kind: 'rewritten', bound: withPresences(bound, others, pair) };
  if (!isMany && (isFigure || showsRow(first.column.tableId, bound, context)))
    return {
      kind: 'rewritten',
      bound: {
        ...bound,
        filters: [...others, { ...first, connective: 'and' }, { ...second, connective: 'or' }],
      },
    };
  return {
    kind: 'meet',
    sides: [
      { ...bound, filters: [...others, { ...first, connective: 'and' }] },
      { ...bound, filters: [...others, { ...second, connective: 'and' }] },
    ],
  };
}

function explicitPair({ filters }: Bound): readonly [BoundFilter, BoundFilter] | null {
  const [first, second, third] = filters.filter((filter) => filter.connective === 'both');
  if (first === undefined || second === undefined || third !== undefined) return null;
  return first.column.id === second.column.id ? [first, second] : null;
}

/** "titles of courses in Statistics but not in Psychology": no row is in both, but what is shown may be. */
function setApart(bound: Bound, graph: SchemaGraph): Together | null {
  const isValue = (filter: BoundFilter): boolean =>
    filter.operator === '=' && filter.operands.every((operand) => operand.kind === 'literal');
  const out = bound.filters.find((filter) => filter.isNegated && isValue(filter));
  const kept = bound.filters.find(
    (filter) =>
      out !== undefined && !filter.isNegated && isValue(filter) && holdSame(filter.column, out.column, graph),
  );
  const isPlain = bound.projections.every((item) => item.aggregate === undefined);
  if (out === undefined || kept === undefined || !isPlain || bound.orders.length > 0) return null;
  if (bound.filters.some((filter) => filter.connective === 'or')) return null;
  const others = bound.filters.filter((filter) => filter !== out && filter !== kept);
  return {
    kind: 'differ',
    sides: [
      { ...bound, filters: [...others, kept] },
      { ...bound, filters: [...others, { ...out, column: kept.column, isNegated: false }] },
    ],
  };
}

/** One column, or a key and what it refers to. */
function holdSame(a: Column, b: Column, graph: SchemaGraph): boolean {
  const isKey = (edge: Edge): boolean => edge.fromColumns[0] === a.id && edge.toColumns[0] === b.id;
  return a.id === b.id || graph.edges(a.tableId).some(isKey);
}

/** "students allergic to milk and cats": each has several allergies, and both are asked for. */
function listedTogether(bound: Bound, context: ResolveContext): Together | null {
  const listed = bound.filters.find(
    (filter) =>
      filter.isAll === true &&
      filter.operands.length === 2 &&
      filter.operator === '=' &&
      !filter.isNegated &&
      filter.connective === 'and' &&
      isManySide(filter, bound, context),
  );
  // "the average of films in Action and Comedy" is one of both, and not of those that are in either at once.
  const isMeasured = bound.projections.some(
    ({ aggregate }) => aggregate !== undefined && aggregate !== 'count',
  );
  if (listed === undefined || isMeasured || bound.groups.length > 0) return null;
  const others = bound.filters.filter((filter) => filter !== listed);
  const pair = listed.operands.map((operand, at) => ({
    ...listed,
    operands: [operand],
    beside: listed.beside && { ...listed.beside, operands: listed.beside.operands.slice(at, at + 1) },
  }));
  return { kind: 'rewritten', bound: withPresences(bound, others, pair) };
}

function clashingPair({ filters }: Bound): readonly [BoundFilter, BoundFilter] | null {
  if (filters.some((filter) => filter.connective === 'or')) return null;
  for (const [index, first] of filters.entries())
    for (const second of filters.slice(index + 1)) if (contradicts(first, second)) return [first, second];
  return null;
}

function isManySide(filter: BoundFilter, { subject }: Bound, { graph }: ResolveContext): boolean {
  return joinTree(subject, [filter.column.tableId], graph)?.edges.some((edge) => edge.multiplies) ?? false;
}

/** "the length of films in both": two films of one length are not one film, so that what is shown may not be compared. */
function isLoose(bound: Bound, context: ResolveContext): boolean {
  const { subject, projections } = bound;
  return projections.every(({ column }) => column?.tableId === subject) && !showsRow(subject, bound, context);
}

/** What is shown names the very rows of a table. */
function showsRow(
  tableId: string,
  { projections }: Bound,
  { graph, displayColumn }: ResolveContext,
): boolean {
  const table = graph.table(tableId);
  const names = displayColumns(table, displayColumn(table.id)).map((shown) => shown.id);
  return projections.some(
    (item) =>
      item.column !== undefined &&
      (table.primaryKey.includes(item.column.id) || names.includes(item.column.id)),
  );
}

/** Each condition on the many side becomes "has a row that". */
function withPresences(bound: Bound, filters: readonly BoundFilter[], pair: readonly BoundFilter[]): Bound {
  const presences = pair.map((filter) => ({
    tableId: filter.column.tableId,
    filters: [{ ...filter, connective: 'and' as const }],
    mention: filter.mention,
    isPresence: true,
  }));
  // Something else may still be shown or asked of the same table.
  const needed = new Set(neededTables({ ...bound, filters }));
  const tables = new Set(
    [...bound.tables].filter(
      (table) => needed.has(table) || pair.every((filter) => filter.column.tableId !== table),
    ),
  );
  return { ...bound, filters, tables, absences: [...bound.absences, ...presences] };
}

/** What a filter leaves of its column; ends that are not among the values are open. */
interface Extent {
  readonly low?: string | number;
  readonly high?: string | number;
  readonly isOpen?: boolean;
}

/** Whether no single row can pass both filters of one column: "above 40 and below 30", "a cat and a dog". */
function contradicts(a: BoundFilter, b: BoundFilter): boolean {
  if (a.column.id !== b.column.id || a.isNegated || b.isNegated || b.connective === 'or') return false;
  if (isOtherNamesake(a, b)) return true;
  const [first, second] = [extentOf(a), extentOf(b)];
  if (first === undefined || second === undefined) return false;
  return isBefore(first, second) || isBefore(second, first);
}

/** Two people of one first name. */
function isOtherNamesake(a: BoundFilter, b: BoundFilter): boolean {
  const [one, other] = [a, b].map(({ beside }) => JSON.stringify(beside?.operands));
  return (
    a.operator === '=' && b.operator === '=' && one !== undefined && other !== undefined && one !== other
  );
}

function isBefore(a: Extent, b: Extent): boolean {
  const [high, low] = [a.high, b.low];
  if (high === undefined || low === undefined || typeof high !== typeof low) return false;
  return high < low || (high === low && (a.isOpen === true || b.isOpen === true));
}

function extentOf({ operator, operands: [operand, second] }: BoundFilter): Extent | undefined {
  if (operand === undefined || second !== undefined) return undefined;
  if (operand.kind === 'range') return { low: operand.from, high: operand.until, isOpen: true };
  if (operand.kind !== 'literal') return undefined;
  const { value } = operand;
  if (operator === '=') return { low: value, high: value };
  const isOpen = operator === '>' || operator === '<';
  if (operator === '>' || operator === '>=') return { low: value, isOpen };
  return operator === '<' || operator === '<=' ? { high: value, isOpen } : undefined;
}

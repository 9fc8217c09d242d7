import type { Bound, BoundFilter, BoundOperand, BoundOrder, BoundProjection } from './bound.ts';
import type { ResolveContext } from './noun-candidates.ts';

/** One sentence for people: "count of singer where country = 'France', largest first, 3 rows". */
export function explainBound(bound: Bound, limit: number | undefined, context: ResolveContext): string {
  const tableName = (id: string): string => context.graph.table(id).name;
  const shown = [...new Set(bound.projections.map((item) => projectionText(item, tableName)))].join(', ');
  const from = ` of ${tableName(bound.subject)}`;
  const parts = [
    `${shown}${bound.projections.length === 1 && bound.projections[0]?.countOf !== undefined ? '' : from}`,
  ];
  if (bound.filters.length > 0)
    parts.push(`where ${bound.filters.map((filter) => filterText(filter)).join(' and ')}`);
  for (const { mention } of bound.stated) parts.push(`where “${mention.text}” holds as the hint says`);
  for (const absence of bound.absences)
    parts.push(
      `${absence.isPresence ? 'with' : 'without'} any ${tableName(absence.tableId)}${absence.filters.length > 0 ? ` where ${absence.filters.map(filterText).join(' and ')}` : ''}`,
    );
  if (bound.groups.length > 0)
    parts.push(
      `per ${bound.groups.map((group) => group.column?.name ?? tableName(group.tableId)).join(' and ')}`,
    );
  for (const having of bound.havings)
    parts.push(
      `with ${having.aggregate} of ${having.column?.name ?? tableName(having.countOf ?? bound.subject)} ${having.operator} ${having.number}`,
    );
  if (bound.orders.length > 0) parts.push(`${bound.orders.map((order) => orderText(order)).join(', then ')}`);
  if (limit !== undefined) parts.push(limit === 1 ? 'the first row' : `the first ${limit} rows`);
  return parts.join(', ');
}

function projectionText(item: BoundProjection, tableName: (id: string) => string): string {
  if (item.figure !== undefined) return `the figure that the hint gives for “${item.mention?.text ?? ''}”`;
  const what = item.column?.name ?? tableName(item.countOf ?? '');
  if (item.aggregate === undefined) return what;
  return `${item.aggregate === 'avg' ? 'average' : item.aggregate === 'sum' ? 'total' : item.aggregate} of ${item.isDistinct ? 'different ' : ''}${what}`;
}

function filterText(filter: BoundFilter): string {
  const not = filter.isNegated ? 'not ' : '';
  const values = filter.operands.map(operandText);
  switch (filter.operator) {
    case 'null':
      return `${filter.column.name} is ${not}empty`;
    case 'like-anywhere':
      return `${filter.column.name} ${filter.isNegated ? 'does not contain' : 'contains'} ${values[0]}`;
    case 'like-start':
      return `${filter.column.name} starts with ${values[0]}`;
    case 'like-end':
      return `${filter.column.name} ends with ${values[0]}`;
    case 'between':
      return `${filter.column.name} is between ${values.join(' and ')}`;
    default:
      return `${filter.column.name} ${not}${filter.operands[0]?.kind === 'range' ? 'in' : filter.operator} ${values.join(' or ')}`;
  }
}

function operandText(operand: BoundOperand): string {
  if (operand.kind === 'literal')
    return typeof operand.value === 'string' ? `‘${operand.value}’` : String(operand.value);
  if (operand.kind === 'range') return `[${operand.from ?? '…'}, ${operand.until ?? '…'})`;
  const figure =
    operand.function === undefined ? 'the' : operand.function === 'avg' ? 'the average' : operand.function;
  const where = operand.filters.map((filter) => ` where ${filterText(filter)}`).join(' and');
  return `${figure} ${operand.column.name}${where}`;
}

function orderText(order: BoundOrder): string {
  const what = order.isCount
    ? 'count'
    : `${order.aggregate === undefined ? '' : `${order.aggregate} of `}${order.column?.name ?? 'count'}`;
  return `by ${what}, ${order.direction === 'desc' ? 'largest' : 'smallest'} first`;
}

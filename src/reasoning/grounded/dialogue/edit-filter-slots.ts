import type { FilterSlot } from '../compose/frame.ts';
import type { Mention } from '../mention/mention.ts';
import { isSameName } from './is-same-name.ts';
import type { Turn } from './turn.ts';

/** A value takes the place of another value of its column; "also France" is set beside it. */
export function editFilterSlots(
  base: readonly FilterSlot[],
  own: readonly FilterSlot[],
  turn: Turn,
): FilterSlot[] {
  const filters = [...base];
  for (const said of own) {
    const filter = withColumn(said, base);
    const place = filters.findIndex((other) => speaksOfSame(other, filter));
    const rival = filters[place];
    if (rival === undefined) filters.push(filter);
    else {
      const operands = turn.manner === 'add' ? [...rival.operands, ...filter.operands] : filter.operands;
      filters[place] = { ...filter, operands, connective: rival.connective };
    }
  }
  return filters;
}

function speaksOfSame(a: FilterSlot, b: FilterSlot): boolean {
  if (a.isNegated !== b.isNegated || a.operator !== b.operator) return false;
  const [left, right] = [a.operands[0]?.mention, b.operands[0]?.mention];
  if (left?.time !== undefined || right?.time !== undefined)
    return left?.time !== undefined && right?.time !== undefined;
  if (a.noun !== undefined && b.noun !== undefined) return isSameName(a.noun, b.noun);
  if (left === undefined || right === undefined) return false;
  return likelyColumns(left).some((id) => likelyColumns(right).includes(id)) || sharesAttribute(a, b);
}

function sharesAttribute(a: FilterSlot, b: FilterSlot): boolean {
  return (
    a.noun === undefined && b.noun === undefined && a.attributes.some((name) => b.attributes.includes(name))
  );
}

/** Columns a value may stand in, as likely as its best one. */
function likelyColumns({ values }: Mention): string[] {
  const best = values[0]?.score ?? 0;
  return values.filter((value) => value.score >= best - 0.05).map((value) => value.columnId);
}

/** "more than 2 only": a bare number is compared with what a number was compared with before. */
function withColumn(filter: FilterSlot, base: readonly FilterSlot[]): FilterSlot {
  const isBare = filter.noun === undefined && filter.attributes.length === 0 && isNumber(filter);
  const before = isBare ? base.findLast(isNumber) : undefined;
  return before === undefined ? filter : { ...filter, noun: before.noun, attributes: before.attributes };
}

function isNumber({ operands: [first] }: FilterSlot): boolean {
  return first?.kind === 'number';
}

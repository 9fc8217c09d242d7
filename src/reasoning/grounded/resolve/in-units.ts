import type { Column } from '../../../catalog/index.ts';
import { splitName } from '../../../language/index.ts';
import type { FilterSlot } from '../compose/frame/frame.ts';
import {
  fittingUnit,
  inColumnUnit,
  type Quantity,
  type Unit,
  unitNamed,
  unitOfColumn,
} from '../question/read/units.ts';
import type { BoundFilter, BoundOperand, Choice } from './bound.ts';
import {
  attributeChoices,
  type ColumnChoice,
  isNumeric,
  isTimeLike,
  type ResolveContext,
} from './noun-candidates.ts';

/** A unit with the words that named it. */
export interface SaidUnit extends Unit {
  readonly said: string;
}

/** The unit behind a number of the condition; in "between 2 and 3 hours" it is that of both. */
export function saidUnit({ operands }: FilterSlot): SaidUnit | undefined {
  const said = operands
    .map((operand) => (operand.kind === 'number' ? operand.unit : undefined))
    .find((text) => text !== undefined);
  const unit = said === undefined ? undefined : unitNamed(said);
  return unit === undefined || said === undefined ? undefined : { ...unit, said };
}

/** A column that tells no unit is a little less likely to be meant than one that tells it. */
const UNTOLD = 0.1;

/** A number may lie a little beyond what a column holds: "older than 100 years". */
const NEAR = 3;

/** The choices with their numbers in the unit of the column; a column of another quantity, or a date, is none. */
export function inUnits(
  choices: readonly Choice<BoundFilter>[],
  unit: SaidUnit | undefined,
): Choice<BoundFilter>[] {
  if (unit === undefined) return [...choices];
  const taken = choices.flatMap((choice) => {
    const { column } = choice.value;
    // "older than 30 years" is no date before 30.
    if (isTimeLike(column) && !isNumeric(column)) return [];
    const numbers = choice.value.operands.map((operand) =>
      operand.kind === 'literal' ? Number(operand.value) : Number.NaN,
    );
    const as = takenAs(numbers, unit, column);
    if (as === undefined) return [];
    const operands = as.numbers.map((number): BoundOperand => ({ kind: 'literal', value: number }));
    const score = choice.score - (as.isTold ? 0 : UNTOLD);
    const takenIn = as.isTold ? undefined : as.said;
    return [
      { isWithin: as.isWithin, ...choice, score, value: { ...choice.value, operands, score, takenIn } },
    ];
  });
  // Where the values of one column have such numbers, those of another that have not are not meant.
  const within = taken.filter(({ isWithin }) => isWithin);
  return withoutLonger(within.length > 0 ? within : taken).map(({ value, tables, score }) => ({
    value,
    tables,
    score,
  }));
}

/** "films longer than 3 hours": the length of a film, and not how long it is rented, where both could be. */
function withoutLonger<T extends Choice<BoundFilter>>(choices: readonly T[]): readonly T[] {
  const isPlain = ({ value: { column } }: T): boolean => splitName(column.name).length === 1;
  const plain = new Set(choices.filter(isPlain).map(({ value }) => value.column.tableId));
  return choices.filter(
    (choice) => choice.value.isNamed === true || isPlain(choice) || !plain.has(choice.value.column.tableId),
  );
}

interface Taken {
  readonly numbers: readonly number[];
  readonly said: string;
  readonly isTold: boolean;
  /** The column tells its unit, or has values about there. */
  readonly isWithin: boolean;
}

/** The numbers as a column holds them; absent where they cannot be what it holds. */
function takenAs(numbers: readonly number[], unit: SaidUnit, column: Column): Taken | undefined {
  const converted = numbers.flatMap((number) => {
    const one = inColumnUnit(number, unit, column);
    return one.kind === 'other' ? [] : [one];
  });
  if (converted.length < numbers.length) return undefined;
  const said = { numbers: converted.map(({ number }) => number), said: unit.said };
  const isTold = unit.quantity === 'count' || converted.every(({ kind }) => kind === 'told');
  const { min, max } = column.profile ?? {};
  if (isTold || min === undefined || max === undefined) return { ...said, isTold, isWithin: true };
  const range = { min: Number(min), max: Number(max) };
  const isWithin = numbers.every((number) => number >= range.min && number <= range.max);
  if (isWithin || unit.quantity === 'money') return { ...said, isTold, isWithin };
  const other = fittingUnit(numbers, unit, range);
  if (other !== undefined) return { ...other, isTold, isWithin: true };
  const isNear = numbers.every((number) => number >= range.min / NEAR && number <= range.max * NEAR);
  return isNear ? { ...said, isTold, isWithin } : undefined;
}

/** What columns of a quantity are called where their names tell no unit. */
const CALLED: Readonly<Partial<Record<Quantity, readonly string[]>>> = {
  time: ['duration', 'length', 'runtime', 'time'],
  weight: ['weight', 'mass', 'wt'],
  distance: ['distance', 'length', 'height', 'dist'],
  area: ['area'],
  volume: ['volume', 'capacity'],
  data: ['size'],
  money: ['amount', 'price', 'cost', 'total', 'fee'],
};

const TOLD_SCORE = 0.85;

/** "tracks of at least 5 minutes": the columns of the named tables that are measured so. */
export function measuredIn(unit: Unit, context: ResolveContext): ColumnChoice[] {
  const told = [...context.named].flatMap(([tableId, named]) =>
    context.graph
      .table(tableId)
      .columns.filter(
        (column) => isNumeric(column) && unitOfColumn(column)?.quantity === unit.quantity && named >= 0.6,
      )
      .map((column) => ({ column, score: TOLD_SCORE * named })),
  );
  if (told.length > 0) return told;
  return attributeChoices(CALLED[unit.quantity] ?? [], context, isNumeric).filter(
    ({ column }) => unitOfColumn(column) === undefined,
  );
}

/** How the answer to a question changes with another choice of what was taken for granted. */
import type { ChoiceEffect } from '../answer.ts';
import { type ComparedResult, encodePair, figureOf } from '../results/index.ts';

export interface MeasuredResult extends ComparedResult {
  readonly truncatedBy: 'rows' | 'bytes' | null;
}

/** Numbers this close, relative to the larger one, are equal. */
const TOLERANCE = 1e-6;

/** What changes from `answered` to `other`; undefined where nothing does, the order of rows and the names of columns aside. */
export function effectBetween(answered: MeasuredResult, other: MeasuredResult): ChoiceEffect | undefined {
  if (answered.truncatedBy !== null)
    return { kind: 'unmeasured', because: 'the rows of the answer were cut at their limit' };
  const differing = differingRows(answered, other);
  const [before, after] = [answered.rows.length, other.rows.length];
  if (differing === 0 && before === after) return undefined;
  const change = changeOf(columnSum(answered), columnSum(other));
  const [figure, value] = [onlyFigure(answered), onlyFigure(other)];
  if (figure !== undefined && value !== undefined)
    return withChange({ kind: 'figure', value, answered: figure }, change);
  if (before === after) return withChange({ kind: 'values', differing, rows: before }, change);
  if (other.truncatedBy !== null) return { kind: 'rows', rows: after, answered: before, isAtLeast: true };
  return withChange({ kind: 'rows', rows: after, answered: before }, change);
}

function withChange<Effect extends ChoiceEffect>(effect: Effect, change: number | undefined): Effect {
  return change === undefined ? effect : { ...effect, change };
}

function changeOf(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined || before === 0
    ? undefined
    : (after - before) / Math.abs(before);
}

/** The sum of the column of figures, where there is one alone. */
function columnSum({ columns, rows }: MeasuredResult): number | undefined {
  const sums = columns.flatMap((_, column) => {
    const figures = rows.map((row) => figureOf(row[column] ?? null));
    return figures.every((figure) => figure !== undefined)
      ? [figures.reduce((sum, figure) => sum + figure, 0)]
      : [];
  });
  return sums.length === 1 ? sums[0] : undefined;
}

/** How much an effect matters beside others: 0 where nothing was measured, 1 where all is another. */
export function sizeOf(effect: ChoiceEffect | undefined): number {
  switch (effect?.kind) {
    case 'figure':
      return Math.abs(effect.change ?? 1);
    case 'rows':
      return Math.abs(effect.rows - effect.answered) / Math.max(effect.answered, 1);
    case 'values':
      return effect.differing / Math.max(effect.rows, 1);
    default:
      return 0;
  }
}

/** The number that is all of a result. */
function onlyFigure({ rows }: MeasuredResult): number | undefined {
  const [row, second] = rows;
  const [cell, beside] = row ?? [];
  return second === undefined && cell !== undefined && beside === undefined ? figureOf(cell) : undefined;
}

/** Rows of the first that the second lacks, each as often as it occurs. */
function differingRows(left: ComparedResult, right: ComparedResult): number {
  const codes = encodePair(left, right, { textEqualsNumber: false, tolerance: TOLERANCE });
  const keysOf = (columns: typeof codes.left, rows: number): string[] =>
    Array.from({ length: rows }, (_, row) => columns.map((column) => column[row]).join());
  const there = new Map<string, number>();
  for (const key of keysOf(codes.right, right.rows.length)) there.set(key, (there.get(key) ?? 0) + 1);
  return keysOf(codes.left, left.rows.length).filter((key) => {
    const left = there.get(key) ?? 0;
    there.set(key, left - 1);
    return left <= 0;
  }).length;
}

/** How the answer to a question changes with another choice of what was taken for granted. */
import type { ChoiceEffect } from '../../answer.ts';
import { type ComparedResult, encodePair, figureOf } from '../../results/index.ts';
import type { Cell } from '../../sql/dialects/index.ts';

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
  const [figure, value] = [onlyFigure(answered), onlyFigure(other)];
  if (figure !== undefined && value !== undefined) {
    const effect: ChoiceEffect = { kind: 'figure', value, answered: figure };
    return figure === 0 ? effect : { ...effect, change: (value - figure) / Math.abs(figure) };
  }
  const shape = answered.columns.length === other.columns.length ? {} : { isOtherShape: true as const };
  if (before === after) {
    const largest = largestChange(answered, other);
    const effect: ChoiceEffect = { kind: 'values', differing, rows: before, ...shape };
    return largest === undefined ? effect : { ...effect, largest };
  }
  const effect: ChoiceEffect = { kind: 'rows', rows: after, answered: before, differing, ...shape };
  if (other.truncatedBy === null && differOnlyInNothing(answered, other))
    return { ...effect, isOfNothing: true };
  return other.truncatedBy === null ? effect : { ...effect, isAtLeast: true };
}

/** All rows of the shorter are in the longer, and what that has beside is 0 or empty in a column where no other row is. */
function differOnlyInNothing(one: MeasuredResult, other: MeasuredResult): boolean {
  const [shorter, longer] = one.rows.length < other.rows.length ? [one, other] : [other, one];
  if (
    shorter.rows.length === 0 ||
    longer.columns.length < 2 ||
    shorter.columns.length !== longer.columns.length
  )
    return false;
  if (differingRows(shorter, longer) > 0) return false;
  const more = longer.rows.length - shorter.rows.length;
  return longer.columns.some((_, column) => {
    const empty = ({ rows }: MeasuredResult): number =>
      rows.filter((row) => isNothing(row[column] ?? null)).length;
    return empty(shorter) === 0 && empty(longer) === more;
  });
}

function isNothing(cell: Cell): boolean {
  return cell === null || figureOf(cell) === 0;
}

/**
 * Of rows that are called the same in both: the largest change of their figure, as a share of it. A sum over all rows would be one of
 * averages and rates as well, and tell nothing. Undefined without exactly one column of figures, or where names repeat.
 */
function largestChange(answered: MeasuredResult, other: MeasuredResult): number | undefined {
  const figures = answered.columns.flatMap((_, column) =>
    [answered, other].every(({ rows }) => rows.every((row) => isFigureOrEmpty(row[column] ?? null)))
      ? [column]
      : [],
  );
  const [column, second] = figures;
  if (column === undefined || second !== undefined || answered.columns.length !== other.columns.length)
    return undefined;
  const nameOf = (row: MeasuredResult['rows'][number]): string =>
    JSON.stringify(row.filter((_, at) => at !== column).map(String));
  const before = new Map(answered.rows.map((row) => [nameOf(row), figureOf(row[column] ?? null)]));
  if (before.size < answered.rows.length) return undefined;
  const changes = other.rows.flatMap((row) => {
    const [old, now] = [before.get(nameOf(row)), figureOf(row[column] ?? null)];
    if (old === undefined || now === undefined) return [];
    return old === 0 ? (now === 0 ? [] : [Number.POSITIVE_INFINITY]) : [(now - old) / Math.abs(old)];
  });
  // From nothing to something is no share of anything.
  return changes.length === 0 || changes.includes(Number.POSITIVE_INFINITY)
    ? undefined
    : changes.reduce((largest, change) => (Math.abs(change) > Math.abs(largest) ? change : largest));
}

function isFigureOrEmpty(cell: Cell): boolean {
  return cell === null || figureOf(cell) !== undefined;
}

/** How much an effect matters beside others: 0 where nothing was measured, 1 where all is another. */
export function sizeOf(effect: ChoiceEffect | undefined): number {
  switch (effect?.kind) {
    case 'figure':
      return Math.abs(effect.change ?? 1);
    case 'rows':
      return (
        Math.max(Math.abs(effect.rows - effect.answered), effect.differing) / Math.max(effect.answered, 1)
      );
    case 'values':
      return effect.largest === undefined
        ? effect.differing / Math.max(effect.rows, 1)
        : Math.abs(effect.largest);
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

/** An effect in a few words, for cards and agents: `5,912 instead of 5,856, +1 %`. */
export function choiceEffectText(effect: ChoiceEffect): string {
  switch (effect.kind) {
    case 'figure':
      return `${number(effect.value)} instead of ${number(effect.answered)}${changed(effect.change, ', ')}`;
    case 'rows': {
      const rows = `${number(effect.rows)} ${effect.rows === 1 ? 'row' : 'rows'}`;
      const isToldApart = effect.differing > 0 && effect.isOtherShape !== true;
      const others = isToldApart ? `, ${number(effect.differing)} of these differ` : shape(effect);
      const nothing = effect.isOfNothing === true ? ', groups of nothing make the difference' : others;
      return `${effect.isAtLeast ? 'at least ' : ''}${rows} instead of ${number(effect.answered)}${nothing}`;
    }
    case 'values':
      if (effect.isOtherShape === true) return 'other columns';
      return effect.rows === 1 && effect.largest === undefined
        ? 'another row'
        : `${number(effect.differing)} of ${number(effect.rows)} rows differ${changed(effect.largest, ', by up to ')}`;
    case 'unmeasured':
      return `effect not measured: ${effect.because}`;
  }
}

function shape({ isOtherShape }: { readonly isOtherShape?: true }): string {
  return isOtherShape === true ? ', with other columns' : '';
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

/** In whole per cent, or with a digit behind the point where it is small. */
function changed(change: number | undefined, before: string): string {
  if (change === undefined) return '';
  const digits = Math.abs(change) < 0.1 ? 1 : 0;
  const shown = Math.abs(change * 100).toLocaleString('en', { maximumFractionDigits: digits });
  return `${before}${change < 0 ? '−' : '+'}${shown} %`;
}

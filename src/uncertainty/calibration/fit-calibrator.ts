import { applyIsotonic, fitIsotonic, type IsotonicMap } from './fit-isotonic.ts';
import { applyPlatt, fitPlatt, type PlattMap } from './fit-platt.ts';
import { checkLabelledRows, checkLength, invalid, type LabelledRows } from './labelled-rows.ts';

/** Turns scores of groups into probabilities. Plain JSON, so that a model file holds it as it is. */
export interface Calibrator {
  /** Of the groups with enough rows, by name. */
  readonly groups: Readonly<Record<string, IsotonicMap & { readonly rows: number }>>;
  /** For every other group, fitted to the rows of all. */
  readonly others: PlattMap & { readonly rows: number };
}

export interface CalibratorRows extends LabelledRows {
  /** One name a row: the type of the node. */
  readonly groups: ArrayLike<string>;
}

/** Isotonic regression needs about so many rows before it is no worse than Platt's two numbers (specification §9). */
const LEAST_ROWS = 500;
/** What is read of a model file at most. */
export const MOST_GROUPS = 1_000;

/**
 * An isotonic map for every group of at least `leastRows` rows with both labels, and one Platt map of all rows for the
 * others. The rows must be of databases that the scorer was not trained on, or its over-confidence is learned as truth.
 * Throws `uncertainty.data-invalid`.
 */
export function fitCalibrator(
  rows: CalibratorRows,
  { leastRows = LEAST_ROWS }: { readonly leastRows?: number } = {},
): Calibrator {
  checkLabelledRows(rows);
  checkLength('groups', rows.groups.length, rows.scores.length);
  if (!(leastRows >= 1)) throw invalid(`leastRows is ${leastRows}; expected 1 or more`);
  const own: [string, IsotonicMap & { rows: number }][] = [];
  for (const [group, members] of membersOf(rows)) {
    const part = pick(rows, members);
    if (members.length >= leastRows && hasBothLabels(part))
      own.push([group, { rows: members.length, ...fitIsotonic(part) }]);
  }
  if (own.length > MOST_GROUPS)
    throw invalid(`there are ${own.length} groups to calibrate; at most ${MOST_GROUPS} are kept`);
  const counted = pick(rows, countedRows(rows));
  return { groups: Object.fromEntries(own), others: { rows: counted.scores.length, ...fitPlatt(counted) } };
}

/** Row numbers of each group in their order, groups by name; rows without weight are in none. */
function membersOf(rows: CalibratorRows): [string, number[]][] {
  const members = new Map<string, number[]>();
  for (const row of countedRows(rows)) {
    const group = rows.groups[row] ?? '';
    const known = members.get(group);
    if (known === undefined) members.set(group, [row]);
    else known.push(row);
  }
  return [...members].sort(([a], [b]) => (a < b ? -1 : 1));
}

function countedRows({ scores, weights }: LabelledRows): number[] {
  return Array.from(scores, (_, row) => row).filter((row) => weights?.[row] !== 0);
}

function pick({ scores, labels, weights }: LabelledRows, rows: readonly number[]): LabelledRows {
  const take = (values: ArrayLike<number>): Float64Array => Float64Array.from(rows, (row) => values[row]!);
  return { scores: take(scores), labels: take(labels), weights: weights && take(weights) };
}

function hasBothLabels({ labels }: LabelledRows): boolean {
  const all = Array.from(labels);
  return all.includes(0) && all.includes(1);
}

/** The probability that a row of the group with this score is wrong; within a group it never falls as the score rises. */
export function calibrate(calibrator: Calibrator, group: string, score: number): number {
  const own = Object.hasOwn(calibrator.groups, group) ? calibrator.groups[group] : undefined;
  return own === undefined ? applyPlatt(calibrator.others, score) : applyIsotonic(own, score);
}

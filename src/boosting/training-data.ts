import { CandorError } from '../errors.ts';

/** Rows to learn from. NaN is a missing value; infinite values are refused. */
export interface TrainingData {
  /** Names of the columns, all different. */
  readonly names: readonly string[];
  readonly rows: number;
  /** One array a column, or all columns in one array, one after another. */
  readonly features: Float32Array | readonly Float32Array[];
  /** 0 or 1 for each row. */
  readonly labels: Uint8Array;
  /** How much a row counts, 0 or more; absent: 1 each. */
  readonly weights?: Float32Array | Float64Array | undefined;
  /** 1 for a row that is not learned from: its loss says when to stop. Absent: none is. */
  readonly heldOut?: Uint8Array | undefined;
}

/** Data that was looked through. */
export interface CheckedData {
  readonly names: readonly string[];
  readonly rows: number;
  readonly columns: readonly Float32Array[];
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
  /** Rows to learn from and rows held out, each ascending. */
  readonly learned: Int32Array;
  readonly heldOut: Int32Array;
}

/** Keeps 32-bit row numbers and cell numbers exact. */
const MOST_ROWS = 100_000_000;
const MOST_FEATURES = 10_000;

/** Checks every length and value; throws `boosting.data-invalid`, which names the column and the row. */
export function checkTrainingData(data: TrainingData): CheckedData {
  const { names, rows, labels } = data;
  if (!Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS)
    throw invalid(`rows is a whole number from 1 to ${MOST_ROWS}, not ${rows}`);
  if (names.length < 1 || names.length > MOST_FEATURES)
    throw invalid(`there are ${names.length} columns; expected 1 to ${MOST_FEATURES}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`two columns are named ${JSON.stringify(twice)}`);
  const columns = columnsOf(data);
  columns.forEach((column, at) => {
    checkLength(`column ${names[at]}`, column.length, rows);
    const infinite = column.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    if (infinite >= 0) throw invalid(`column ${names[at]} is infinite in row ${infinite}`);
  });
  checkLength('labels', labels.length, rows);
  const label = labels.findIndex((value) => value > 1);
  if (label >= 0) throw invalid(`the label of row ${label} is ${labels[label]}; expected 0 or 1`);
  const { learned, heldOut } = partRows(data);
  const weights = checkWeights(data);
  checkBothLabels(labels, weights, learned);
  if (heldOut.length > 0 && heldOut.every((row) => weights[row] === 0))
    throw invalid('no row that is held out has a weight above 0');
  return { names, rows, columns, labels, weights, learned, heldOut };
}

function columnsOf({ names, rows, features }: TrainingData): readonly Float32Array[] {
  if (!(features instanceof Float32Array)) {
    checkLength('features', features.length, names.length);
    return features;
  }
  checkLength('features', features.length, rows * names.length);
  return names.map((_, column) => features.subarray(column * rows, (column + 1) * rows));
}

function partRows({ rows, heldOut }: TrainingData): { learned: Int32Array; heldOut: Int32Array } {
  if (heldOut !== undefined) checkLength('heldOut', heldOut.length, rows);
  const isHeldOut = (row: number): boolean => heldOut !== undefined && heldOut[row] !== 0;
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  return { learned: all.filter((row) => !isHeldOut(row)), heldOut: all.filter(isHeldOut) };
}

function checkWeights({ rows, weights }: TrainingData): Float64Array {
  if (weights === undefined) return new Float64Array(rows).fill(1);
  checkLength('weights', weights.length, rows);
  const wrong = weights.findIndex((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY));
  if (wrong >= 0) throw invalid(`the weight of row ${wrong} is ${weights[wrong]}; expected 0 or more`);
  return Float64Array.from(weights);
}

/** With one label alone the log-odds have no end. */
function checkBothLabels(labels: Uint8Array, weights: Float64Array, learned: Int32Array): void {
  for (const label of [0, 1])
    if (!learned.some((row) => labels[row] === label && (weights[row] ?? 0) > 0))
      throw invalid(`no row to learn from has the label ${label} and a weight above 0`);
}

function checkLength(what: string, found: number, expected: number): void {
  if (found !== expected) throw invalid(`${what} has length ${found}; expected ${expected}`);
}

function invalid(message: string): CandorError {
  return new CandorError('boosting.data-invalid', message);
}

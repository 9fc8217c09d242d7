/** Rows to learn from and to measure on: made by a seed, and real predictions that were right or wrong. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { seededRandom } from '../../src/lib/seeded-random.ts';

export interface BoostingSet {
  readonly name: string;
  readonly names: readonly string[];
  readonly rows: number;
  readonly features: readonly Float32Array[];
  readonly labels: Uint8Array;
  /** 1: measured on, not learned from. */
  readonly heldOut: Uint8Array;
}

const HELD_OUT_SHARE = 0.2;
const MISSING_SHARE = 0.08;

/**
 * Columns of four kinds (even, skewed, few values, nearly always 0), every third with missing values. The label hangs
 * on seven of them, by a wave, two products, a step and a line, and on chance.
 */
export function makeSet(rows: number, columns: number, seed: number): BoostingSet {
  const random = seededRandom(seed);
  const features = Array.from({ length: columns }, (_, column) =>
    Float32Array.from({ length: rows }, () => {
      const value = random();
      const isMissing = column % 3 === 0 && random() < MISSING_SHARE;
      return isMissing ? Number.NaN : shapeOf(value, column % 4);
    }),
  );
  const labels = new Uint8Array(rows);
  const at = (column: number, row: number): number => features[column % columns]?.[row] ?? 0;
  for (let row = 0; row < rows; row++) {
    const or = (column: number, instead: number): number =>
      Number.isNaN(at(column, row)) ? instead : at(column, row);
    const score =
      2 * (or(0, 0.8) - 0.5) * (or(4, 0.5) > 0.5 ? 1 : -1) +
      Math.sin(6 * or(8, 0.2)) +
      0.4 * Math.log(or(1, 1)) * (or(2, 0) - 1) +
      (or(3, 2) > 0 ? 0.8 : 0) -
      0.3 * or(5, 1) -
      0.4;
    labels[row] = Number(random() < 1 / (1 + Math.exp(-2 * score)));
  }
  const heldOut = Uint8Array.from({ length: rows }, () => Number(random() < HELD_OUT_SHARE));
  return {
    name: 'made',
    names: features.map((_, column) => `column${column}`),
    rows,
    features,
    labels,
    heldOut,
  };
}

function shapeOf(value: number, kind: number): number {
  if (kind === 0) return value;
  if (kind === 1) return 1 / (value + 0.01);
  if (kind === 2) return Math.floor(value * 4);
  return value < 0.9 ? 0 : value;
}

const PREDICTION = z.object({
  db_id: z.string(),
  pred: z.string(),
  label: z.number().nullable(),
  n: z.number(),
  models: z.array(z.string()),
});
/** Kept for the measuring of other parts. */
const LEFT_OUT = new Set(['california_schools', 'card_games', 'toxicology']);
const MEASURED = new Set(['codebase_community', 'european_football_2', 'financial']);
const WORDS = [
  'SELECT',
  'JOIN',
  'WHERE',
  'AND',
  'OR',
  'GROUP',
  'ORDER',
  'HAVING',
  'DISTINCT',
  'COUNT',
  'SUM',
  'AVG',
];
const MORE_WORDS = [
  'MAX',
  'MIN',
  'CASE',
  'CAST',
  'LIKE',
  'IN',
  'BETWEEN',
  'NULL',
  'STRFTIME',
  'UNION',
  'DESC',
  'LIMIT',
];

type Reader = readonly [name: string, read: (sql: string) => number];
const READERS: readonly Reader[] = [
  ...[...WORDS, ...MORE_WORDS].map(
    (word): Reader => [word.toLowerCase(), (sql) => countOf(sql, new RegExp(`\\b${word}\\b`, 'gi'))],
  ),
  ...[',', '(', '.', '=', '`', '*', '/'].map((mark): Reader => [mark, (sql) => sql.split(mark).length - 1]),
  ['characters', (sql) => sql.length],
  ['literals', (sql) => countOf(sql, /'[^']*'/g)],
  ['longestLiteral', (sql) => longest(sql.match(/'[^']*'/g))],
  ['limitNumber', (sql) => Number(/\bLIMIT\s+(\d+)/i.exec(sql)?.[1] ?? Number.NaN)],
  ['whereAt', (sql) => placeOf(sql, /\bWHERE\b/i)],
  ['orderAt', (sql) => placeOf(sql, /\bORDER\b/i)],
];

/**
 * Labelled SQL predictions for BIRD dev, with counts of what their text holds; measured on other databases than
 * learned from. Undefined where the data is not there.
 */
export async function readPredictionSet(dataDirectory: string): Promise<BoostingSet | undefined> {
  const packed = await readFile(join(dataDirectory, 'preds', 'bird_dev.jsonl.gz')).catch(() => undefined);
  if (packed === undefined) return undefined;
  const lines = gunzipSync(packed).toString().trim().split('\n');
  const predictions = lines
    .map((line) => PREDICTION.parse(JSON.parse(line)))
    .filter(({ db_id: database, label }) => label !== null && !LEFT_OUT.has(database));
  const features = [
    ...READERS.map(([, read]) => Float32Array.from(predictions, ({ pred }) => read(pred))),
    Float32Array.from(predictions, ({ n }) => n),
    Float32Array.from(predictions, ({ models }) => models.length),
  ];
  return {
    name: 'predictions',
    names: [...READERS.map(([name]) => name), 'times', 'models'],
    rows: predictions.length,
    features,
    labels: Uint8Array.from(predictions, ({ label }) => label ?? 0),
    heldOut: Uint8Array.from(predictions, ({ db_id: database }) => Number(MEASURED.has(database))),
  };
}

function countOf(sql: string, pattern: RegExp): number {
  return sql.match(pattern)?.length ?? 0;
}

function longest(texts: readonly string[] | null): number {
  return texts === null ? Number.NaN : Math.max(...texts.map(({ length }) => length));
}

function placeOf(sql: string, pattern: RegExp): number {
  const at = sql.search(pattern);
  return at < 0 ? Number.NaN : at / sql.length;
}

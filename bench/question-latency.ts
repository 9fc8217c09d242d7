/** Question to SQL against the size of the catalog. `npx tsx bench/question-latency.ts [--smoke] [--output json]` */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { emptySemanticModel } from '../src/knowledge/semantic/index.ts';
import { buildValueIndex } from '../src/knowledge/values/index.ts';
import { buildKnowledge, hypothesise } from '../src/reasoning/grounded/index.ts';
import { openRatingModels } from '../src/reasoning/grounded/rate/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent, percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { buildSyntheticDatabase } from './synthetic-catalog.ts';
import { writeQuestions } from './synthetic-questions.ts';

const SIZES = [10, 100, 1_000, 10_000];
const SMOKE_SIZES = [10, 20];
const QUESTIONS = 50;
const SMOKE_QUESTIONS = 10;
const SEED = 41;
/** Characters of a question; no longer ones are taken. */
const LENGTHS = [250, 500, 1_000, 2_000];
/** Repeated to those lengths. */
const UNITS = ['customers ', 'and the name of ', "'a' ", '1,000 ', 'between 3 and '];
/** The questions are about no day of their own; any fixed one makes runs repeatable. */
const NOW = new Date('2024-10-01T12:00:00Z');

const options = readBenchOptions();
const sizes = options.isSmoke ? SMOKE_SIZES : SIZES;
const questionCount = options.isSmoke ? SMOKE_QUESTIONS : QUESTIONS;

const rating = await openRatingModels();

// The first questions of a process also pay for compiling the code; that is not what grows with the catalog.
measureSize(sizes[0]!, SEED + 1);
const results = sizes.map((size) => measureSize(size, SEED));

const lengths = LENGTHS.slice(0, options.isSmoke ? 2 : LENGTHS.length).map((length) => ({
  length,
  slowestMs: measureLength(length, SEED),
}));

const growth = (key: 'p50Ms' | 'p95Ms' | 'buildMs', from = 0): number =>
  growthExponent(results.slice(from).map((result) => [result.tables, result[key]]));
printReport(
  {
    bench: 'question-latency',
    about: `question → SQL, ${questionCount} questions on each catalog of 20 columns a table`,
    rows: results,
    figures: {
      p50Growth: growth('p50Ms'),
      p95Growth: growth('p95Ms'),
      buildGrowth: growth('buildMs'),
      // Small catalogs are all fixed cost; what waits beyond the largest one shows between the last two.
      p50GrowthAtTheEnd: growth('p50Ms', -2),
      p95GrowthAtTheEnd: growth('p95Ms', -2),
      ...Object.fromEntries(
        lengths.map(({ length, slowestMs }) => [`slowestMsOf${length}Characters`, slowestMs]),
      ),
      // Of the longest questions that are taken: words of structure over and over are the worst case.
      lengthGrowth: growthExponent(lengths.map(({ length, slowestMs }) => [length, slowestMs])),
    },
  },
  options,
);

function measureSize(tables: number, seed: number) {
  const database = buildSyntheticDatabase(tables, seed);
  const questions = writeQuestions(database, questionCount, seed);

  const bytesBefore = usedBytes();
  const started = performance.now();
  const values = buildValueIndex(database.values);
  const indexed = performance.now();
  const knowledge = buildKnowledge(database.catalog, emptySemanticModel, values, rating);
  const buildMs = performance.now() - indexed;
  // Compiled code comes and goes by some hundred kilobytes: less than a megabyte is noise.
  const memoryMb = Math.max(0, Math.round((usedBytes() - bytesBefore) / 1e6));

  const thinkMs: number[] = [];
  let right = 0;
  for (const { text, tableIds } of questions) {
    const from = performance.now();
    const [best] = hypothesise(text, knowledge, NOW).readings;
    thinkMs.push(performance.now() - from);
    if (best !== undefined && tablesOf(best.sql).join() === tableIds.join()) right += 1;
  }
  return {
    tables,
    values: values.size,
    p50Ms: percentile(thinkMs, 0.5),
    p95Ms: percentile(thinkMs, 0.95),
    maxMs: Math.max(...thinkMs),
    // Fast nonsense would flatter the figures: the SQL must stand on the tables that the question names.
    rightTablesPercent: (100 * right) / questions.length,
    valuesMs: indexed - started,
    buildMs,
    memoryMb,
  };
}

/** The slowest of the questions that say the same over and over, on the smallest catalog. */
function measureLength(length: number, seed: number): number {
  const database = buildSyntheticDatabase(sizes[0]!, seed);
  const knowledge = buildKnowledge(
    database.catalog,
    emptySemanticModel,
    buildValueIndex(database.values),
    rating,
  );
  const times = UNITS.map((unit) => {
    const from = performance.now();
    hypothesise(unit.repeat(Math.floor(length / unit.length)).trim(), knowledge, NOW);
    return performance.now() - from;
  });
  return Math.max(...times);
}

/** The tables of the SQL, in the order of their names. */
function tablesOf(sql: string): string[] {
  return [...new Set([...sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)].map(([, name = '']) => name))].sort();
}

/** Bytes that are really held: garbage is collected first, and once more for what its finalisers let go. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 2; round++) runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Question to SQL against the size of the catalog. `npx tsx bench/question-latency.ts [--smoke] [--output json]` */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildValueIndex, emptySemanticModel } from '../src/knowledge/index.ts';
import { buildKnowledge, hypothesise } from '../src/reasoning/index.ts';
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
/** The questions are about no day of their own; any fixed one makes runs repeatable. */
const NOW = new Date('2024-10-01T12:00:00Z');

const options = readBenchOptions();
const sizes = options.isSmoke ? SMOKE_SIZES : SIZES;
const questionCount = options.isSmoke ? SMOKE_QUESTIONS : QUESTIONS;

// The first questions of a process also pay for compiling the code; that is not what grows with the catalog.
measureSize(sizes[0]!, SEED + 1);
const results = sizes.map((size) => measureSize(size, SEED));

const growth = (key: 'p50Ms' | 'p95Ms' | 'buildMs' | 'memoryMb'): number =>
  growthExponent(results.map((result) => [result.tables, result[key]]));
printReport(
  {
    bench: 'question-latency',
    about: `question → SQL, ${questionCount} questions on each catalog of 20 columns a table`,
    rows: results,
    figures: {
      p50Growth: growth('p50Ms'),
      p95Growth: growth('p95Ms'),
      buildGrowth: growth('buildMs'),
      memoryGrowth: growth('memoryMb'),
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
  const knowledge = buildKnowledge(database.catalog, emptySemanticModel, values);
  const buildMs = performance.now() - indexed;
  const memoryMb = (usedBytes() - bytesBefore) / 1e6;

  const thinkMs: number[] = [];
  let right = 0;
  for (const { text, tableId } of questions) {
    const from = performance.now();
    const [best] = hypothesise(text, knowledge, NOW).readings;
    thinkMs.push(performance.now() - from);
    if (best !== undefined && new RegExp(`\\b${tableId}\\b`, 'i').test(best.sql)) right += 1;
  }
  return {
    tables,
    values: values.size,
    p50Ms: percentile(thinkMs, 0.5),
    p95Ms: percentile(thinkMs, 0.95),
    maxMs: Math.max(...thinkMs),
    // Fast refusals would flatter the figures: most questions must have reached SQL on the table they name.
    rightTablePercent: (100 * right) / questions.length,
    valuesMs: indexed - started,
    buildMs,
    memoryMb,
  };
}

/** Bytes that are really held: garbage is collected first. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/**
 * Mutated queries against the SQL core: parsing must end in a tree or a refusal, soon; scopes, types, the read-only
 * check, similarity, diff, printing and translating must live with every tree.
 * `npx tsx bench/sql-fuzz.ts [--smoke] [--output json]`
 */

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { DIALECT_NAMES } from '../src/sql/dialects/dialects.ts';
import {
  checkReadOnly,
  type DialectName,
  diff,
  lexSql,
  parse,
  printTree,
  scopes,
  similarity,
  transpile,
  types,
} from '../src/sql/index.ts';
import { treeBreach } from '../test/fixtures/sql/tree-laws.ts';
import { readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const RUNS = 100_000;
const SEED = 20261121;
/** A query slower than this counts as a hang; the slowest honest one takes a few milliseconds. */
const HANG_MS = 1_000;

interface Seed {
  readonly dialect: DialectName;
  readonly tokens: readonly string[];
}

interface Outcome {
  parsed: number;
  refused: number;
  reading: number;
  broken: string[];
  slow: string[];
  readonly ms: number[];
  /** Heap still reachable after the last query less that before the first. */
  grownMb: number;
}

/** Each dialect is translated into another. */
const NEXT_DIALECT: Readonly<Record<DialectName, DialectName>> = {
  sqlite: 'duckdb',
  duckdb: 'postgres',
  postgres: 'mysql',
  mysql: 'snowflake',
  snowflake: 'bigquery',
  bigquery: 'trino',
  trino: 'sqlite',
};

const options = readBenchOptions();
const outcome = fuzz(options.isSmoke ? 2_000 : RUNS);
printReport(
  {
    bench: 'sql-fuzz',
    about: `${outcome.ms.length} mutated queries of seven dialects, seed ${SEED}`,
    rows: [
      { what: 'ended in a tree', queries: outcome.parsed },
      { what: 'refused by the parser', queries: outcome.refused },
      { what: 'found to be reading', queries: outcome.reading },
      { what: 'threw or broke a law of trees', queries: outcome.broken.length },
      { what: `took more than ${HANG_MS} ms`, queries: outcome.slow.length },
    ],
    figures: {
      p50Ms: percentile(outcome.ms, 0.5),
      p99Ms: percentile(outcome.ms, 0.99),
      maxMs: outcome.ms.reduce((most, ms) => Math.max(most, ms), 0),
      grownMb: outcome.grownMb,
    },
  },
  options,
);
for (const sql of [...outcome.broken, ...outcome.slow].slice(0, 10))
  process.stderr.write(`${sql.slice(0, 200)} … ${sql.slice(-200)}\n`);
if (outcome.broken.length + outcome.slow.length > 0) process.exitCode = 1;

function fuzz(runs: number): Outcome {
  const seeds = readSeeds();
  const words = [...new Set(seeds.flatMap(({ tokens }) => tokens))];
  const result: Outcome = { parsed: 0, refused: 0, reading: 0, broken: [], slow: [], ms: [], grownMb: 0 };
  const mutated = fc
    .tuple(
      fc.noBias(fc.constantFrom(...seeds)),
      fc.noBias(fc.array(mutation(words), { minLength: 1, maxLength: 6 })),
    )
    .map(([{ dialect, tokens }, changes]) => ({
      dialect,
      sql: changes.reduce((now, change) => change(now), tokens).join(''),
    }));
  const queries = fc.sample(mutated, { numRuns: runs, seed: SEED });
  const before = heapInUse();
  for (const { dialect, sql } of queries) tryOne(sql, dialect, result);
  result.grownMb = (heapInUse() - before) / 2 ** 20;
  return result;
}

/** Bytes of the heap that are still reachable. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** The golden queries and the guard's corpora: all kinds of syntax, and attacks. */
function readSeeds(): Seed[] {
  const seeds: Seed[] = [];
  let dialect: DialectName = 'sqlite';
  for (const block of readFileSync('test/fixtures/sql/trees.txt', 'utf8').split('\n\n').slice(1)) {
    const [sql = '', tree] = block.trim().split('\n');
    if (tree === undefined) dialect = sql.replace('-- ', '') as DialectName;
    else seeds.push({ dialect, tokens: lexSql(sql, dialect).map(({ text }) => text) });
  }
  for (const name of DIALECT_NAMES) {
    for (const kind of ['attacks', 'honest']) {
      const lines = readFileSync(`test/fixtures/guard/${kind}-${name}.txt`, 'utf8').split('\n');
      for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
        seeds.push({ dialect: name, tokens: lexSql(line, name).map(({ text }) => text) });
      }
    }
  }
  return seeds;
}

type Mutation = (tokens: readonly string[]) => readonly string[];

/** Drop, double, swap, replace, repeat many times, cut off, or break a token at a random place. */
function mutation(words: readonly string[]): fc.Arbitrary<Mutation> {
  // Without bias, which would put most changes at the first token.
  const place = fc
    .noBias(fc.integer({ min: 0, max: 9_999 }))
    .map((tenThousandths) => tenThousandths / 10_000);
  const at = (tokens: readonly string[], share: number) => Math.floor(share * Math.max(0, tokens.length - 1));
  return fc.oneof(
    place.map(
      (share): Mutation =>
        (tokens) =>
          tokens.filter((_, index) => index !== at(tokens, share)),
    ),
    fc.tuple(place, fc.constantFrom(...words)).map(
      ([share, word]): Mutation =>
        (tokens) =>
          tokens.map((token, index) => (index === at(tokens, share) ? ` ${word} ` : token)),
    ),
    fc.tuple(place, fc.constantFrom(...words)).map(
      ([share, word]): Mutation =>
        (tokens) => [...tokens.slice(0, at(tokens, share)), ` ${word} `, ...tokens.slice(at(tokens, share))],
    ),
    fc.tuple(place, fc.integer({ min: 2, max: 400 })).map(
      ([share, times]): Mutation =>
        (tokens) => {
          const from = at(tokens, share);
          const piece = tokens.slice(from, from + 4);
          return [
            ...tokens.slice(0, from),
            ...Array.from({ length: times }, () => piece).flat(),
            ...tokens.slice(from),
          ];
        },
    ),
    place.map(
      (share): Mutation =>
        (tokens) =>
          tokens.slice(0, at(tokens, share) + 1),
    ),
    fc.tuple(place, fc.string({ unit: 'binary', maxLength: 5 })).map(
      ([share, junk]): Mutation =>
        (tokens) =>
          tokens.map((token, index) => (index === at(tokens, share) ? token.slice(1) + junk : token)),
    ),
  );
}

function tryOne(sql: string, dialect: DialectName, result: Outcome): void {
  const from = performance.now();
  const spent = process.cpuUsage();
  try {
    const parsed = parse(sql, dialect);
    if (parsed.ok) {
      result.parsed += 1;
      types(parsed.tree, scopes(parsed.tree, { tables: [] }));
      if (similarity(parsed.tree, parsed.tree) !== 1) result.broken.push(`${dialect}: unlike itself: ${sql}`);
      diff(parsed.tree, parsed.tree);
      if (!parse(printTree(parsed.tree), dialect).ok) result.broken.push(`${dialect}: printed wrong: ${sql}`);
      transpile(parsed.tree, NEXT_DIALECT[dialect]);
      if (checkReadOnly(parsed.tree).readOnly) result.reading += 1;
      const breach = treeBreach(parsed.tree);
      if (breach !== undefined) result.broken.push(`${dialect}: ${breach} in ${sql.slice(0, 300)}`);
    } else result.refused += 1;
  } catch (error) {
    result.broken.push(`${dialect}: ${String(error)} in ${sql.slice(0, 300)}`);
  }
  result.ms.push(performance.now() - from);
  // By the processor's time: a machine that is busy with something else makes no hang.
  const { user, system } = process.cpuUsage(spent);
  const ms = (user + system) / 1_000;
  if (ms > HANG_MS) result.slow.push(`${dialect}: ${ms.toFixed(0)} ms: ${sql.slice(0, 300)}`);
}

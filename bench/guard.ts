/**
 * What the guard costs, refuses and holds back: reading and judging a query beside the engine's own work on it, gold
 * queries of the public sets and statements of public documentation that it refuses (each is listed), attacks that
 * pass it, and what the attacks do to the engines, with the guard and without.
 * `npx tsx bench/guard.ts [--smoke] [--output json]`; the documentation alone: `npx tsx bench/guard/documentation.ts`
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { connect } from '../src/database/index.ts';
import { CandorError } from '../src/errors.ts';
import { readSuite } from '../src/lab/corpus/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { checkReadOnly, parse } from '../src/sql/index.ts';
import { type BenchOptions, readBenchOptions } from './bench-options.ts';
import { percentile } from './figures.ts';
import { attackEngines, countBypasses, type EngineAttack } from './guard/attack-engines.ts';
import { attackOwners } from './guard/attack-owners.ts';
import { countRefusals, type RefusalCount } from './guard/count-refusals.ts';
import { countDocumentation, listDocumentation } from './guard/documentation.ts';
import { printReport } from './print-report.ts';

const SMOKE_QUERIES = 20;
/** Of each set, in a smoke run. */
const SMOKE_GOLD = 50;
/** Each query is timed this often and its fastest time counts: single times are near the clock's own noise. */
const ROUNDS = 5;

interface GoldQuery {
  readonly databaseUrl: string;
  readonly sql: string;
}

interface Timing {
  readonly parse: number;
  readonly check: number;
  readonly prepare: number;
  readonly explain: number;
}

const options = readBenchOptions();
try {
  await runBench(options);
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`guard: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

async function runBench(given: BenchOptions): Promise<void> {
  const queries = await readGoldQueries(given.isSmoke ? SMOKE_QUERIES : Number.POSITIVE_INFINITY);
  // Once unmeasured, so that neither side pays for code that is not compiled yet.
  await timeAll(queries.slice(0, 100));
  const timings = await timeAll(queries);
  const sum = (key: keyof Timing): number => timings.reduce((total, timing) => total + timing[key], 0);
  const guardMs = sum('parse') + sum('check');
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const refusals = await countRefusals(dataDirectory, given.isSmoke ? SMOKE_GOLD : Number.POSITIVE_INFINITY);
  const plain = countBypasses();
  const owners = given.isSmoke ? undefined : await attackOwners((message) => say(message));
  const attacks = plain.attacks + (owners?.attacks ?? 0);
  const bypasses = [...plain.bypasses, ...(owners?.bypasses ?? [])];
  const kinds = [...plain.kinds, ...(owners?.kinds ?? [])];
  for (const [kind, count] of kinds) say(`${count} attacks of the kind “${kind}”`);
  const engines = given.isSmoke ? [] : await attackEngines((message) => say(message));
  listWhatIsLeft(refusals, bypasses, engines);
  const documentation = given.isSmoke ? undefined : await countDocumentation((message) => say(message));
  if (documentation !== undefined) for (const line of listDocumentation(documentation)) say(line);
  const falseRejections = refusals.unsafe.length + refusals.hidden.length;
  const isBroken = engines.some(
    ({ report, hasGuard }) => harmOf(report) > 0 || (hasGuard && report.refused < report.attacks),
  );
  if (bypasses.length > 0 || isBroken) process.exitCode = 1;
  printReport(
    {
      bench: 'guard',
      about: `${queries.length} gold queries of Spider dev, milliseconds a query, fastest of ${ROUNDS}`,
      rows: rowsOf(timings),
      figures: {
        queries: queries.length,
        guardToPrepare: guardMs / sum('prepare'),
        guardToExplain: guardMs / sum('explain'),
        goldQueries: refusals.queries,
        falseRejections,
        falseRejectionPercent: (100 * falseRejections) / refusals.queries,
        namesNotInSchema: refusals.unknown.length,
        ...Object.fromEntries(
          Object.entries(refusals.largest).map(([limit, size]) => [`largest_${limit}`, size]),
        ),
        documentedStatements: documentation?.statements ?? 0,
        documentedRefused: documentation?.refused.length ?? 0,
        attacks,
        kindsOfAttacks: kinds.length,
        bypasses: bypasses.length,
        attacksOnEngines: engines.reduce((total, { report }) => total + report.attacks, 0),
        changesReadsAndCalls: engines.reduce((total, { report }) => total + harmOf(report), 0),
      },
    },
    given,
  );
}

function harmOf({ changed, read, connections }: EngineAttack['report']): number {
  return changed.length + read.length + connections;
}

/** Each refused gold query, each attack that passed, and a line for each engine: on stderr, beside the report. */
function listWhatIsLeft(
  { unsafe, hidden }: RefusalCount,
  bypasses: readonly string[],
  engines: readonly EngineAttack[],
): void {
  for (const { id, why } of [...unsafe, ...hidden]) say(`refused ${id}: ${why}`);
  for (const text of bypasses) say(`not refused, ${text}`);
  for (const { engine, account, hasGuard, report } of engines) {
    const { attacks, refused, stopped, ran } = report;
    const by = hasGuard
      ? `guard refused ${refused}`
      : `no guard, its session stopped ${stopped}, let ${ran.length} look`;
    say(
      `${engine} as ${account}: ${attacks} attacks, ${by}; changes, reads outside, calls: ${harmOf(report)}`,
    );
    for (const text of [...report.changed, ...report.read]) say(`  ${text}`);
  }
}

function say(text: string): void {
  process.stderr.write(`guard: ${text}\n`);
}

/** Each different gold query once, grouped by database. */
async function readGoldQueries(limit: number): Promise<GoldQuery[]> {
  const { dataDirectory } = readTerminalEnvironment();
  const suite = await readSuite('spider', dataDirectory === undefined ? {} : { dataDirectory });
  const queries = suite.cases.flatMap(({ databaseUrl, expect }): [string, GoldQuery][] =>
    expect.kind === 'answered' ? [[`${databaseUrl}\n${expect.sql}`, { databaseUrl, sql: expect.sql }]] : [],
  );
  return [...new Map(queries).values()].slice(0, limit);
}

async function timeAll(queries: readonly GoldQuery[]): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const url of new Set(queries.map((query) => query.databaseUrl))) {
    const database = await connect(url);
    const inProcess = new DatabaseSync(url.replace(/^sqlite:/, ''), {
      readOnly: true,
      enableDoubleQuotedStringLiterals: true,
    });
    for (const { sql } of queries.filter((query) => query.databaseUrl === url)) {
      const parsed = parse(sql, 'sqlite');
      if (!parsed.ok) throw new Error(`not parsed: ${sql}`);
      const verdict = checkReadOnly(parsed.tree);
      if (!verdict.readOnly) throw new Error(`refused (${verdict.reason}): ${sql}`);
      timings.push({
        parse: await fastest(() => parse(sql, 'sqlite')),
        check: await fastest(() => checkReadOnly(parsed.tree)),
        prepare: await fastest(() => inProcess.prepare(sql)),
        explain: await fastest(() => database.explain(sql)),
      });
    }
    inProcess.close();
    await database.close();
  }
  return timings;
}

async function fastest(run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    await run();
    best = Math.min(best, performance.now() - from);
  }
  return best;
}

function rowsOf(timings: readonly Timing[]) {
  const times = (read: (timing: Timing) => number): number[] => timings.map(read);
  return [
    rowOf(
      'parse',
      times(({ parse }) => parse),
    ),
    rowOf(
      'read-only check',
      times(({ check }) => check),
    ),
    rowOf(
      'parse + check',
      times(({ parse, check }) => parse + check),
    ),
    rowOf(
      'engine: prepare',
      times(({ prepare }) => prepare),
    ),
    rowOf(
      'engine: EXPLAIN, other process',
      times(({ explain }) => explain),
    ),
  ];
}

function rowOf(what: string, ms: readonly number[]) {
  return { what, p50Ms: percentile(ms, 0.5), p95Ms: percentile(ms, 0.95), maxMs: Math.max(...ms) };
}

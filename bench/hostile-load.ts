/**
 * What others notice of hostile people on one `candor serve`, as ratios to the idle server: statements that are hard to analyse, long
 * queries, memory bombs, and more people than can be served. Traffic stays on this machine and ends by itself.
 * `npx tsx bench/hostile-load.ts [--smoke] [--output json]`; HOSTILE_SECONDS, HOSTILE_PEOPLE, HOSTILE_MINUTES change the size,
 * HOSTILE_PARTS (analysis, long, bombs, crowd) and HOSTILE_ENGINES say which part of it.
 */
import { readBenchOptions } from './bench-options.ts';
import { askFor, type DisturbedRow, rowOf, sendOnAndOn, type Waits } from './hostile-load/ask-beside.ts';
import { hostileStatements } from './hostile-load/hostile-statements.ts';
import { explode } from './hostile-load/memory-bombs.ts';
import { overload } from './hostile-load/overload.ts';
import { type ServedMotors, serveMotors } from './hostile-load/serve-motors.ts';
import type { BenchEngine } from './make-motors-file.ts';
import { printReport } from './print-report.ts';

const MIB = 1024 * 1024;
const MEMORY_MIB = 512;
const ENDLESS =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000000000) SELECT COUNT(*) FROM n';
const LONG_AT_ONCE = 4;

const options = readBenchOptions();
const { isSmoke } = options;
const seconds = Number(process.env.HOSTILE_SECONDS ?? (isSmoke ? 0.5 : 10));
const people = Number(process.env.HOSTILE_PEOPLE ?? (isSmoke ? 40 : 200));
const minutes = Number(process.env.HOSTILE_MINUTES ?? (isSmoke ? 0.1 : 3));
const parts = new Set((process.env.HOSTILE_PARTS ?? 'analysis,long,bombs,crowd').split(','));
const engines = (process.env.HOSTILE_ENGINES ?? 'sqlite,duckdb').split(',');
// Forty people with questions to a small database are sent away only where hardly anybody may wait.
const mostWaitMs = isSmoke ? 100 : 10_000;
const leastQuestions = isSmoke ? 2 : 20;
const say = (line: string): void => void process.stderr.write(`hostile-load: ${line}\n`);

const rows: DisturbedRow[] = [];
const figures: Record<string, number> = { longestWaitMayBeMs: mostWaitMs };
for (const engine of ['sqlite', 'duckdb'] as const) if (engines.includes(engine)) await measure(engine);
printReport(
  {
    bench: 'hostile-load',
    about: 'a small question of one person while another is hostile, as a ratio to the idle server',
    ...{ rows, figures },
  },
  options,
);

async function measure(engine: BenchEngine): Promise<void> {
  const server = await serveMotors({
    ...{ engine, scale: isSmoke ? 0.02 : 0.2, memoryBytes: MEMORY_MIB * MIB, mostWaitMs },
    timeoutMs: isSmoke ? 5_000 : 30_000,
    people: isSmoke ? ['ana', 'mallory'] : ['ana', 'mallory', 'bo', 'cy', 'di'],
  });
  try {
    await askFor(server, 0, 3);
    const idle = await askFor(server, seconds * 1_000, leastQuestions);
    add(rowOf(`${engine}: idle`, idle, idle, 0), idle);
    if (engine === 'sqlite' && parts.has('analysis')) await analyse(server, idle);
    if (parts.has('long')) await runLong(server, engine, idle);
    if (parts.has('bombs')) await bomb(server, engine, idle);
    if (engine === 'sqlite' && parts.has('crowd')) await crowd(server);
  } finally {
    await server.stop();
  }
}

function add(row: DisturbedRow, { failed }: Waits): void {
  rows.push(row);
  say(JSON.stringify(row));
  for (const one of failed.slice(0, 1)) say(`a question failed: ${one}`);
}

async function analyse(server: ServedMotors, idle: Waits): Promise<void> {
  for (const { what, sql } of hostileStatements(isSmoke)) {
    const hostile = sendOnAndOn(server, [{ sql, planOnly: true }], 1);
    const waits = await askFor(server, seconds * 1_000, leastQuestions);
    add(
      rowOf(`analysis: ${what}, ${Math.round(sql.length / 1_000)} kB`, idle, waits, await hostile.stop()),
      waits,
    );
  }
}

async function runLong(server: ServedMotors, engine: BenchEngine, idle: Waits): Promise<void> {
  const hostile = sendOnAndOn(server, [{ sql: ENDLESS }], LONG_AT_ONCE);
  const waits = await askFor(server, seconds * 1_000, leastQuestions);
  add(rowOf(`${engine}: ${LONG_AT_ONCE} long queries at once`, idle, waits, LONG_AT_ONCE), waits);
  // They end by their time limit, so that what follows is not measured beside them.
  await hostile.stop();
}

async function bomb(server: ServedMotors, engine: BenchEngine, idle: Waits): Promise<void> {
  const exploding = explode(server, engine, isSmoke);
  const waits = await askFor(server, seconds * 1_000, leastQuestions);
  const { bombs, codes, peakMb } = await exploding;
  add(rowOf(`${engine}: ${bombs} memory bombs`, idle, waits, bombs), waits);
  say(JSON.stringify(codes));
  const { 'database.out-of-memory': byName = 0, 'database.timeout': byTime = 0 } = codes;
  figures[`${engine}Bombs`] = bombs;
  figures[`${engine}BombsOutOfMemory`] = byName;
  figures[`${engine}BombsOtherwise`] = bombs - byName - byTime;
  figures[`${engine}PeakToLimit`] = peakMb / MEMORY_MIB;
}

async function crowd(server: ServedMotors): Promise<void> {
  const { errors, answeredOfEach, ...found } = await overload(server, people, minutes * 60_000);
  for (const error of errors.slice(0, 3)) say(error);
  const fewest = Math.min(...answeredOfEach);
  Object.assign(figures, { people, minutes, ...found, errors: errors.length });
  figures.fewestToMost = fewest / Math.max(1, ...answeredOfEach);
  say(JSON.stringify(figures));
}

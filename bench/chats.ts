/**
 * Conversations at once on one `candor serve` over the Motors database with the built-in engine: time to the first event of a
 * turn, to its end, errors, and what the process holds in memory as time goes by.
 * `npx tsx bench/chats.ts [--smoke] [--output json]`; CHATS_MINUTES and CHATS_PEOPLE change the length and the size.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/lib/seeded-random.ts';
import { readBenchOptions } from './bench-options.ts';
import { type ChatTimes, runChat } from './chats/run-chat.ts';
import { percentile } from './figures.ts';
import { makeMotorsFile } from './make-motors-file.ts';
import { printReport } from './print-report.ts';

const QUESTIONS = [
  'orders per month in 2024',
  'how many orders in 2024?',
  'revenue per month in 2023',
  'only 2023',
  'how many test drives per region in 2024?',
  'top 5 dealers by orders in 2024',
  'how are sales doing?',
  'orders',
  'average customer satisfaction per dealer in 2024',
  'which tables hold test drives?',
  'explain this query',
  'show net new leads by series in 2024',
];
/** One question in so many seconds is a busy conversation. */
const THINK_MS = 30_000;
const SEED = 31;

const options = readBenchOptions();
const all: ChatTimes = { first: [], done: [], errors: [] };
const people = Number(process.env.CHATS_PEOPLE ?? (options.isSmoke ? 4 : 500));
const minutes = Number(process.env.CHATS_MINUTES ?? (options.isSmoke ? 0.25 : 10));
const thinkMs = options.isSmoke ? 500 : THINK_MS;
const say = (line: string): void => void process.stderr.write(`chats: ${line}\n`);

const folder = mkdtempSync(join(tmpdir(), 'candor-chats-bench-'));
const root = join(import.meta.dirname, '..');
for (const part of ['knowledge', 'semantics', 'examples', 'candor.yml'])
  cpSync(join(root, 'examples/motors', part), join(folder, part), { recursive: true });
await makeMotorsFile(join(folder, 'made.db'), 'sqlite', options.isSmoke ? 0.02 : 1);
// The writer's lock lasts until its statements are collected; the copy has none.
copyFileSync(join(folder, 'made.db'), join(folder, 'motors.db'));
const server = await startServed();
try {
  const rows = await measure();
  const memory = rows.map(({ rssMb }) => rssMb);
  printReport(
    {
      bench: 'chats',
      about: `${people} conversations at once on one server, a question every ${thinkMs / 1_000} s each`,
      rows: rows.map((row) => ({ ...row })),
      figures: {
        firstEventP95Ms: percentile(all.first, 0.95),
        firstEventP99Ms: percentile(all.first, 0.99),
        doneP50Ms: percentile(all.done, 0.5),
        doneP95Ms: percentile(all.done, 0.95),
        turnsPerSecond: all.first.length / (minutes * 60),
        errors: all.errors.length,
        memoryEndToMiddle: mean(memory.slice(-3)) / mean(memory.slice(3, 6)),
      },
    },
    options,
  );
} finally {
  server.child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

interface Minute {
  readonly minute: number;
  readonly turns: number;
  readonly firstP95Ms: number;
  readonly doneP95Ms: number;
  readonly errors: number;
  readonly rssMb: number;
}

/** Ten slices of the time, each with what happened in it. */
async function measure(): Promise<Minute[]> {
  const random = seededRandom(SEED);
  const until = performance.now() + minutes * 60_000;
  const chats = Array.from({ length: people }, () =>
    runChat({ url: server.url, questions: QUESTIONS, thinkMs, random, until }, all),
  );
  const rows: Minute[] = [];
  const slice = (minutes * 60_000) / 10;
  let [turns, errors] = [0, 0];
  for (let at = 1; at <= 10; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, slice));
    const [first, done] = [all.first.slice(turns), all.done.slice(turns)];
    const row = {
      minute: (at * minutes) / 10,
      turns: first.length,
      firstP95Ms: orNothing(first),
      doneP95Ms: orNothing(done),
      errors: all.errors.length - errors,
      rssMb: residentMb(server.child.pid ?? 0),
    };
    rows.push(row);
    say(JSON.stringify(row));
    [turns, errors] = [all.first.length, all.errors.length];
  }
  await Promise.all(chats);
  for (const error of all.errors.slice(0, 3)) say(error);
  return rows;
}

/** The first slices fill caches, and the garbage collector lets single ones go up and down. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A slice in which no turn ended has no time. */
function orNothing(times: readonly number[]): number {
  return times.length === 0 ? 0 : percentile(times, 0.95);
}

/** The server's own memory; the engines of the databases are processes beside it. */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

async function startServed() {
  const main = join(root, 'dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--output', 'json', '--quiet'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (part) => resolve(`${part}`)),
  );
  return { child, url: (JSON.parse(said) as { url: string }).url };
}

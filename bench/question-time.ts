/**
 * The time of a question, from its words to its rows, beside another checkout's, question by question in turns.
 * `npx tsx bench/question-time.ts --against DIR [--suite spider] [--step 6] [--output json]`; `--smoke` sets this one against itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORKER = join(ROOT, 'bench/question-time/worker.ts');
/** The same for both sides, wherever their checkouts lie. */
const DATA = readTerminalEnvironment().dataDirectory ?? join(ROOT, '..', 'shared', 'data');

const options = orEnd(readOptions);
const folder = await mkdtemp(join(tmpdir(), 'candor-question-time-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const sides = await Promise.all(
  [options.against, ROOT].map((root, at) => startSide(root, join(folder, String(at)))),
);
const [before, now] = sides as [Side, Side];
try {
  const places = Array.from({ length: before.count }, (_, at) => at).filter((at) => at % options.step === 0);
  for (const [turn, place] of places.entries())
    for (const side of turn % 2 === 0 ? [before, now] : [now, before]) side.times.push(await side.ask(place));
} finally {
  for (const { child } of sides) child.kill();
}

const at = (share: number): { readonly before: number; readonly now: number } => ({
  before: percentile(before.times, share),
  now: percentile(now.times, share),
});
printReport(
  {
    bench: 'question-time',
    about: `a question of ${options.suite} to its rows, ${now.times.length} questions, beside ${options.against}`,
    rows: [0.5, 0.95].map((share) => ({
      percentile: share * 100,
      beforeMs: at(share).before,
      nowMs: at(share).now,
    })),
    figures: { p50Ratio: at(0.5).now / at(0.5).before, p95Ratio: at(0.95).now / at(0.95).before },
  },
  options,
);

interface Side {
  readonly child: ChildProcess;
  /** Questions of the suite. */
  readonly count: number;
  /** Milliseconds of one question, by its place. */
  readonly ask: (place: number) => Promise<number>;
  readonly times: number[];
}

async function startSide(root: string, cache: string): Promise<Side> {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, root, options.suite, DATA, cache], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<number> => {
    const { value, done } = await lines.next();
    // It has said itself why it ends.
    if (done === true) process.exit(2);
    return Number(value);
  };
  const count = await next();
  const ask = (place: number): Promise<number> => {
    child.stdin.write(`${place}\n`);
    return next();
  };
  return { child, count, ask, times: [] };
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      suite: { type: 'string' },
      step: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
    },
  });
  const { smoke: isSmoke, suite = isSmoke ? 'motors' : 'spider', step: said = isSmoke ? '30' : '6' } = values;
  const step = Number(said);
  if (!Number.isInteger(step) || step < 1)
    throw new RangeError(`--step is a whole number above 0, not ${said}`);
  const named = values.against ?? (isSmoke ? ROOT : undefined);
  if (named === undefined)
    throw new RangeError(
      '--against names another checkout; `git worktree add DIR COMMIT` and `npm ci` there make one',
    );
  const against = resolve(named);
  if (!existsSync(join(against, 'node_modules')))
    throw new RangeError(`${against} is no checkout with its packages installed`);
  return { against, suite, step, isSmoke, output: readOutput(values.output) };
}

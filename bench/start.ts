/**
 * What it costs to start: the processor's time of bare Node, of `candor --version`, `--help` and of a question to the demo, beside
 * another build's, in turns. `npx tsx bench/start.ts --against DIR [--rounds 9] [--output json]`; `--smoke` sets this one against itself.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { orEnd, readOutput } from './bench-options.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = 'dist/cli/main.js';
/** The demo answers it without a question back. */
const QUESTION = 'number of test drives per month in 2023';
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  '--version': ['--version'],
  '--help': ['--help'],
  ask: ['ask', QUESTION],
};
/** Shells count the time of all processes that were waited for below them; dash and bash print it in the same words. */
const TIMED = '"$@" >&2 || exit $?; times';

const options = orEnd(readOptions);
const folder = await mkdtemp(join(tmpdir(), 'candor-start-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const node: number[] = [];
const [before, now] = [options.against, ROOT].map(makeSide) as [Side, Side];
for (let round = 0; round < options.rounds; round++) {
  node.push(processorSeconds(['-e', '0'], folder));
  for (const side of round % 2 === 0 ? [before, now] : [now, before])
    for (const [name, argv] of Object.entries(COMMANDS))
      side.times[name]?.push(processorSeconds([side.program, ...argv], side.project));
}

const bare = percentile(node, 0.5);
const rows = Object.keys(COMMANDS).map((command) => {
  const [was, is] = [before, now].map(({ times }) => percentile(times[command] ?? [], 0.5)) as [
    number,
    number,
  ];
  return {
    command,
    beforeMs: was * 1000,
    nowMs: is * 1000,
    percentOfBefore: (is / was) * 100,
    timesNode: is / bare,
  };
});
printReport(
  {
    bench: 'start',
    about: `processor time of a start, median of ${options.rounds} turns, beside ${options.against}`,
    rows,
    figures: { nodeMs: bare * 1000 },
  },
  options,
);

interface Side {
  readonly program: string;
  /** A demo project that this side made itself. */
  readonly project: string;
  /** Seconds by the name of the command. */
  readonly times: Readonly<Record<string, number[]>>;
}

function makeSide(root: string): Side {
  const place = join(folder, encodeURIComponent(root));
  const program = join(root, BUILT);
  // One build on both sides has one demo.
  if (!existsSync(place)) {
    mkdirSync(place);
    processorSeconds([program, 'demo', '--dir', 'demo'], place);
  }
  const times = Object.fromEntries(Object.keys(COMMANDS).map((name): [string, number[]] => [name, []]));
  return { program, project: join(place, 'demo'), times };
}

/** User and system time of one run of Node, with that of the processes it starts. */
function processorSeconds(argv: readonly string[], cwd: string): number {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', TIMED, 'sh', process.execPath, ...argv], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(`start: node ${argv.join(' ')} ended with ${status}\n${stderr}`);
    process.exit(2);
  }
  const ofChildren = stdout.trim().split('\n').at(-1) ?? '';
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      output: { type: 'string', default: 'table' },
    },
  });
  const { smoke: isSmoke, rounds: said = isSmoke ? '1' : '9' } = values;
  const rounds = Number(said);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`--rounds is a whole number above 0, not ${said}`);
  const named = values.against ?? (isSmoke ? ROOT : undefined);
  if (named === undefined)
    throw new RangeError(
      '--against names another build; `git worktree add DIR COMMIT`, `npm ci` and `npm run build` there make one',
    );
  const against = resolve(named);
  for (const root of [against, ROOT])
    if (!existsSync(join(root, BUILT)))
      throw new RangeError(`${root} is not built; \`npm run build\` there builds it`);
  return { against, rounds, isSmoke, output: readOutput(values.output) };
}

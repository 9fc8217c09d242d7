/**
 * What the ledger of words says of queries that are right, and of the same without a part; and what its gate does to what the
 * engine answers. `npx tsx bench/word-ledger.ts [--suite spider-train] [--limit 700] [--seed 1] [--smoke] [--output json]`
 */
import { parseArgs } from 'node:util';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { connect } from '../src/database/index.ts';
import { createRandom } from '../src/demo/motors/random.ts';
import { CandorError } from '../src/errors.ts';
import { type EvaluationCase, readSuite, SUITE_NAMES, type Suite } from '../src/lab/corpus/index.ts';
import { openSuiteSession } from '../src/lab/evaluation/index.ts';
import { orEnd, readOutput } from './bench-options.ts';
import { drawSome } from './draw-some.ts';
import { percentile } from './figures.ts';
import { printReport } from './print-report.ts';
import { type LookedAt, lookAtCase, type Verdict } from './word-ledger/look-at-case.ts';

const SMOKE_CASES = 12;
const MOST_WORDS = 20;

const options = readOptions();
const { dataDirectory } = readTerminalEnvironment();
try {
  const suite = await readSuite(options.suite, dataDirectory === undefined ? {} : { dataDirectory });
  report(suite.name, await lookAtAll(suite));
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`word-ledger: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

function readOptions() {
  return orEnd(() => {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string', default: 'spider-train' },
        limit: { type: 'string', default: '700' },
        seed: { type: 'string', default: '1' },
        smoke: { type: 'boolean', default: false },
        output: { type: 'string', default: 'table' },
      },
    });
    const suite = SUITE_NAMES.find((name) => name === values.suite);
    if (suite === undefined) throw new RangeError(`--suite is one of ${SUITE_NAMES.join(', ')}`);
    const [limit, seed] = [Number(values.limit), Number(values.seed)];
    if (!(limit > 0 && Number.isInteger(limit) && Number.isInteger(seed)))
      throw new RangeError('--limit and --seed are whole numbers, and --limit is above 0');
    const isSmoke = values.smoke;
    return { suite, seed, isSmoke, limit: isSmoke ? SMOKE_CASES : limit, output: readOutput(values.output) };
  });
}

async function lookAtAll(suite: Suite): Promise<readonly LookedAt[]> {
  const random = createRandom(options.seed);
  const answerable = suite.cases.filter(({ expect }) => expect.kind === 'answered');
  const drawn = drawSome(random, answerable, Math.min(options.limit, answerable.length));
  const looked: LookedAt[] = [];
  const session = openSuiteSession(suite, dataDirectory === undefined ? {} : { dataDirectory });
  try {
    for (const cases of byDatabase(drawn)) {
      const opened = await session.open(cases[0]!);
      const database = await connect(cases[0]!.databaseUrl);
      const site = { session: opened, database, policy: suite.policy, chance: random.next };
      for (const asked of cases) {
        const found = await lookAtCase(asked, site);
        if (found !== undefined) looked.push(found);
      }
      await database.close();
    }
  } finally {
    await session.close();
  }
  return looked;
}

function byDatabase(cases: readonly EvaluationCase[]): readonly (readonly EvaluationCase[])[] {
  const groups = new Map<string, EvaluationCase[]>();
  for (const one of cases) groups.set(one.databaseUrl, [...(groups.get(one.databaseUrl) ?? []), one]);
  return [...groups.values()];
}

function report(suite: string, looked: readonly LookedAt[]): void {
  const alarms = looked.flatMap((one) => one.alarms);
  const classes = [...new Set(alarms.map(({ role }) => role))].sort();
  const dropped = looked.flatMap((one) => one.dropped ?? []);
  const kinds = [...new Set(dropped.map(({ kind }) => kind))].sort();
  const engine = looked.map((one) => one.engine);
  const count = (before: Verdict | undefined, behind: Verdict | undefined): number =>
    engine.filter((one) => one.before === before && one.behind === behind).length;
  const answered = (verdict: Verdict, when: 'before' | 'behind'): number =>
    engine.filter((one) => one[when] === verdict).length;
  const row = (what: string, part: number, of: number, words = '') => ({
    ...{ what, count: part, of, percent: percent(part, of), words },
  });
  const rows = [
    row('right queries with an alarm', looked.filter((one) => one.alarms.length > 0).length, looked.length),
    ...classes.map((role) => {
      const own = looked.filter((one) => one.alarms.some((word) => word.role === role));
      const words = alarms.filter((word) => word.role === role).map(({ text }) => text.toLowerCase());
      return row(`  of class ${role}`, own.length, looked.length, commonest(words));
    }),
    row('parts left out and not noticed', dropped.filter(({ isNamed }) => !isNamed).length, dropped.length),
    ...kinds.map((kind) => {
      const own = dropped.filter((one) => one.kind === kind);
      return row(`  ${kind}`, own.filter(({ isNamed }) => !isNamed).length, own.length);
    }),
    row('right answers that the gate stops', count('right', undefined), answered('right', 'before')),
    row('wrong answers that the gate stops', count('wrong', undefined), answered('wrong', 'before')),
    row('right answers changed to wrong ones', count('right', 'wrong'), answered('right', 'before')),
    row('wrong answers changed to right ones', count('wrong', 'right'), answered('wrong', 'before')),
  ];
  printReport(
    {
      bench: 'word-ledger',
      about: `${looked.length} questions of ${suite}, seed ${options.seed}: the ledger over gold queries, over the same without a part, and the engine with its gate`,
      rows,
      figures: { ...coverage('before', answered), ...coverage('behind', answered), ...times(looked) },
    },
    options,
  );

  function coverage(when: 'before' | 'behind', of: typeof answered): Record<string, number> {
    const [right, wrong] = [of('right', when), of('wrong', when)];
    const name = when === 'before' ? 'WithoutGate' : 'WithGate';
    return {
      [`coverage${name}`]: percent(right + wrong, engine.length),
      [`rightAmongAnswered${name}`]: percent(right, right + wrong),
    };
  }
}

/** The gate's share is an upper bound: what else a question costs, its query first of all, is in neither. */
function times(looked: readonly LookedAt[]): Record<string, number> {
  const ledger = looked.map(({ ledgerMs }) => ledgerMs);
  const before = looked.map(({ engine }) => engine.msBefore);
  const behind = looked.map(({ engine }) => engine.msBehind);
  return {
    ledgerP50Ms: percentile(ledger, 0.5),
    ledgerP95Ms: percentile(ledger, 0.95),
    withoutGateP50Ms: percentile(before, 0.5),
    withoutGateP95Ms: percentile(before, 0.95),
    withGateP50Ms: percentile(behind, 0.5),
    withGateP95Ms: percentile(behind, 0.95),
    p50Ratio: percentile(behind, 0.5) / percentile(before, 0.5),
    p95Ratio: percentile(behind, 0.95) / percentile(before, 0.95),
  };
}

/** The words that are said most often, with how often. */
function commonest(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([one, a], [other, b]) => b - a || one.localeCompare(other));
  return sorted
    .slice(0, MOST_WORDS)
    .map(([word, times]) => (times === 1 ? word : `${word} ${times}`))
    .join(', ');
}

function percent(part: number, of: number): number {
  return of === 0 ? 0 : Number(((100 * part) / of).toFixed(1));
}

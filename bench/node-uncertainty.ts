/**
 * How long it takes, after parsing, to say which parts of a query are likely wrong: features, trees, and what is shown;
 * for predicted queries of BIRD dev, and by nodes of the query, columns of the schema and other candidates. The model is
 * made for the bench, of the settings of one that ships, from the labels of these queries. Beside it LightGBM predicts the same rows with as many trees.
 * `npx tsx bench/node-uncertainty.ts [--smoke] [--output json]`; the first whole run installs LightGBM into `.cache/`.
 */

import type { TreeScorer } from '../src/boosting/index.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import {
  ASKED_GROUPS,
  type FeatureGroupName,
  openUncertaintyModel,
  PUBLISHED_GROUPS,
  type UncertaintyModel,
} from '../src/uncertainty/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { prepareLightgbm } from './boosting/lightgbm-environment.ts';
import { growthExponent, percentile } from './figures.ts';
import type { JudgedQuery } from './node-uncertainty/judged-query.ts';
import { type MadeSize, makeJudged } from './node-uncertainty/made-queries.ts';
import { type MadeRows, makeModel, makeRows } from './node-uncertainty/make-model.ts';
import { readBirdQueries } from './node-uncertainty/read-bird-queries.ts';
import { timeLightgbm } from './node-uncertainty/time-lightgbm.ts';
import { type Timed, timeQueries } from './node-uncertainty/time-queries.ts';
import { printReport } from './print-report.ts';

const AGREED_GROUPS: readonly FeatureGroupName[] = [...ASKED_GROUPS, 'agreement'];
const BASE: MadeSize = { tables: 5, conditions: 8, others: 4 };

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`node-uncertainty: ${line}\n`);
const sizes = options.isSmoke
  ? { questions: 20, rounds: 1, trees: 10, conditions: [1, 8], tables: [1, 5], others: [0, 4] }
  : {
      ...{ questions: 300, rounds: 9, trees: 160 },
      ...{ conditions: [1, 8, 32, 96], tables: [1, 5, 50, 500], others: [0, 4, 8, 16, 32] },
    };
try {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const bird = await readBirdQueries(dataDirectory, sizes.questions);
  const made = makeRows(bird, AGREED_GROUPS);
  const model = await makeModel(made, sizes.trees);
  const rows = [...(await measureBird(bird)), ...(await measureMade(model))];
  printReport(
    {
      bench: 'node-uncertainty',
      about: `µs a query after parsing, median of ${sizes.rounds}; features, then the ${sizes.trees} trees of each node and the risk of the whole, then what is shown; ${bird.length} queries of BIRD dev`,
      rows,
      figures: {
        nodeGrowth: growthOf(rows, 'nodes'),
        columnGrowth: growthOf(rows, 'columns'),
        otherGrowth: growthOf(rows, 'others'),
        ...(await comparePeer(made)),
      },
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`node-uncertainty: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

interface Row extends Timed, Readonly<Record<string, string | number>> {
  readonly what: string;
  readonly columns: number;
  readonly others: number;
}

/** From the features of the paper to all of ours with eight others, and the model that ships where it is there. */
async function measureBird(bird: readonly JudgedQuery[]): Promise<readonly Row[]> {
  const columns = meanOf(bird, ({ facts }) => facts.columns.size);
  const rows: Row[] = [];
  const add = (what: string, judged: readonly JudgedQuery[], model: UncertaintyModel): void => {
    say(what);
    const timed = timeQueries(judged, model, sizes.rounds);
    rows.push({ what, columns, others: meanOf(judged, (one) => one.others.length), ...timed });
  };
  for (const [what, groups, others] of [
    ['BIRD, the 72', PUBLISHED_GROUPS, 0],
    ['BIRD, with the question', ASKED_GROUPS, 0],
    ['BIRD, with four others', AGREED_GROUPS, 4],
    ['BIRD, with eight others', AGREED_GROUPS, 8],
  ] as const) {
    const judged = withOthers(bird, others);
    add(what, judged, await makeModel(makeRows(judged, groups), sizes.trees));
  }
  const shipped = await openUncertaintyModel().catch((error: unknown) => {
    if (!(error instanceof CandorError) || error.code !== 'uncertainty.model-missing') throw error;
    say('the model that comes with Candor is left out: it is not there');
  });
  if (shipped !== undefined) add('BIRD, the shipped model', withOthers(bird, 0), shipped);
  return rows;
}

function withOthers(bird: readonly JudgedQuery[], count: number): readonly JudgedQuery[] {
  return bird.map((one) => ({ ...one, others: one.others.slice(0, count) }));
}

async function measureMade(model: UncertaintyModel): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const add = async (what: string, size: MadeSize): Promise<void> => {
    say(`${what}: ${JSON.stringify(size)}`);
    const judged = await makeJudged(size);
    const timed = timeQueries([judged], model, sizes.rounds * 5);
    rows.push({ what, columns: judged.facts.columns.size, others: judged.others.length, ...timed });
  };
  for (const conditions of sizes.conditions) await add('by nodes', { ...BASE, conditions });
  for (const tables of sizes.tables) await add('by columns', { ...BASE, tables });
  for (const others of sizes.others) await add('by others', { ...BASE, others });
  return rows;
}

/** How features, scoring and units together grow with a size. */
function growthOf(rows: readonly Row[], size: 'nodes' | 'columns' | 'others'): number {
  const own = rows.filter((row) => row.what === `by ${size}` && row[size] > 0);
  return own.length < 2 ? 0 : growthExponent(own.map((row) => [row[size], row.allP50]));
}

function meanOf<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0) / items.length;
}

/** The trees alone: of all nodes of a query, ours and LightGBM's of the same rows. */
async function comparePeer(made: MadeRows): Promise<Readonly<Record<string, number>>> {
  const { nodes } = await makeModel(made, sizes.trees);
  const times = made.starts
    .slice(1)
    .map((end, at) => timeTrees(made.rows.slice(made.starts[at], end), nodes));
  const ours = { treesP50: percentile(times, 0.5), treesP95: percentile(times, 0.95) };
  const peer = await prepareLightgbm(!options.isSmoke, say);
  if ('missing' in peer) {
    say(`LightGBM is left out: ${peer.missing}`);
    return ours;
  }
  const { p50, p95, batch } = await timeLightgbm(peer.python, made, sizes);
  return { ...ours, lightgbmP50: p50, lightgbmP95: p95, lightgbmInOneCall: batch };
}

function timeTrees(rows: readonly Float32Array[], { score }: TreeScorer): number {
  const times = Array.from({ length: sizes.rounds }, () => {
    const from = performance.now();
    for (const row of rows) score(row);
    return 1_000 * (performance.now() - from);
  });
  return percentile(times, 0.5);
}

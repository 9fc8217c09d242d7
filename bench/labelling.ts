/**
 * Labels for the nodes of queries that real systems wrote for BIRD dev, by its gold, outside the test-only databases: how
 * fast, and what the labels say of queries whose rows are known to be right.
 * `npx tsx bench/labelling.ts [--smoke] [--output json]`
 */
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { TEST_DATABASES } from '../src/lab/linking/replay-set.ts';
import { readPredictionSet } from '../src/lab/uncertainty/data/prediction-set.ts';
import { parse } from '../src/sql/index.ts';
import type { SqlTree } from '../src/sql/tree/index.ts';
import { type LabelFacts, labelFacts } from '../src/uncertainty/label/label-facts.ts';
import type { LabelOptions } from '../src/uncertainty/label/label-nodes.ts';
import { labelNodes } from '../src/uncertainty/label/label-nodes.ts';
import { readBenchOptions } from './bench-options.ts';
import { growthExponent } from './figures.ts';
import { printReport } from './print-report.ts';
import { startClock } from './start-clock.ts';

const SETUP = 'artessay:Base/VanillaLinker|Qwen/Qwen2.5-Coder-7B-Instruct';
const SMOKE_PAIRS = 50;
/** Conditions of the queries whose labelling is timed by their size: 26 to 556 nodes. */
const GROWN = [4, 16, 40, 110];
const LABELLINGS: Readonly<Record<string, Partial<LabelOptions>>> = {
  'literal, published': { mode: 'literal', equality: 'published' },
  'counterpart, published': { mode: 'counterpart', equality: 'published' },
  'counterpart, tolerant': {},
};

interface Pair {
  readonly generated: SqlTree;
  readonly gold: SqlTree;
  readonly facts: LabelFacts | undefined;
  readonly isRight: boolean | undefined;
  readonly isOfSetup: boolean;
}

const options = readBenchOptions();
const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
try {
  const { pairs, unread } = await readPairs();
  const rows = Object.entries(LABELLINGS).map(([labels, chosen]) => ({ labels, ...measure(pairs, chosen) }));
  const growths = Object.entries(LABELLINGS).map(([labels, chosen]) => [
    `growth over nodes: ${labels}`,
    growthExponent(GROWN.map((conditions) => timeConditions(conditions, chosen))),
  ]);
  printReport(
    {
      bench: 'labelling',
      about:
        'predicted queries of BIRD dev labelled by the gold; right and wrong with an error: shares of the 7B Base set-up',
      rows,
      figures: { pairs: pairs.length, unread, ...Object.fromEntries(growths) },
    },
    options,
  );
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`labelling: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

/** `unread`: predictions that do not parse, or whose gold does not. */
async function readPairs(): Promise<{ readonly pairs: readonly Pair[]; readonly unread: number }> {
  const { databases, questions } = await readPredictionSet('bird', dataDirectory);
  const facts = new Map([...databases].map(([name, { catalog }]) => [name, labelFacts(catalog)]));
  const pairs: Pair[] = [];
  let unread = 0;
  for (const { database, goldSql, predictions } of questions) {
    if (TEST_DATABASES.has(database)) continue;
    if (options.isSmoke && pairs.length >= SMOKE_PAIRS) break;
    const gold = parse(goldSql, 'sqlite');
    for (const { sql, isRight, setups } of predictions) {
      const generated = parse(sql, 'sqlite');
      if (!gold.ok || !generated.ok) unread += 1;
      else {
        const trees = { generated: generated.tree, gold: gold.tree };
        pairs.push({ ...trees, facts: facts.get(database), isRight, isOfSetup: setups.includes(SETUP) });
      }
    }
  }
  return { pairs, unread };
}

function measure(pairs: readonly Pair[], chosen: Partial<LabelOptions>) {
  const clock = startClock();
  const labelled = pairs.map(({ generated, gold, facts }) => labelNodes(generated, gold, chosen, facts));
  const { cpuSeconds } = clock();
  const nodes = labelled.reduce((sum, labels) => sum + (labels?.length ?? 0), 0);
  const errors = labelled.reduce(
    (sum, labels) => sum + (labels?.filter((label) => label === 1).length ?? 0),
    0,
  );
  const shareWithError = (isRight: boolean): number => {
    const some = labelled.filter((_, at) => pairs[at]?.isOfSetup === true && pairs[at].isRight === isRight);
    return some.filter((labels) => labels?.includes(1)).length / Math.max(1, some.length);
  };
  return {
    pairsPerSecond: pairs.length / cpuSeconds,
    msPerPair: (1_000 * cpuSeconds) / pairs.length,
    nodesPerPair: nodes / pairs.length,
    errorsPercent: (100 * errors) / nodes,
    rightWithErrorPercent: 100 * shareWithError(true),
    wrongWithErrorPercent: 100 * shareWithError(false),
    tooLarge: labelled.filter((labels) => labels === undefined).length,
  };
}

/** Two queries with so many conditions in opposite order, one of them wrong; the least of three runs counts. */
function timeConditions(count: number, chosen: Partial<LabelOptions>): readonly [nodes: number, ms: number] {
  const conditions = Array.from({ length: count }, (_, index) => `c${index} = ${index}`);
  const treeOf = (list: readonly string[]) => {
    const parsed = parse(`SELECT a FROM t WHERE ${list.join(' AND ')}`, 'sqlite');
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.tree;
  };
  const gold = treeOf(conditions);
  const generated = treeOf([...conditions.slice(1), 'c0 = 7'].toReversed());
  const times = [1, 2, 3].map(() => {
    const from = performance.now();
    labelNodes(generated, gold, chosen);
    return performance.now() - from;
  });
  return [generated.nodes.length, Math.min(...times)];
}

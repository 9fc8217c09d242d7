/**
 * Schema linking by votes of queries that real systems predicted for BIRD dev: curves over the number of hypotheses and
 * the threshold of credibility, and what each expansion gives alone. Nothing was chosen on the databases of the second
 * figures: california_schools, card_games, toxicology.
 * `npx tsx bench/linking-replay.ts [--smoke] [--output json]`
 */
import { join } from 'node:path';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { CandorError } from '../src/errors.ts';
import { keptAt, linkByVotes, type Votes } from '../src/lab/linking/linkers/link-by-votes.ts';
import { replayLinker } from '../src/lab/linking/linkers/replay-linker.ts';
import { readLinkSet } from '../src/lab/linking/read-link-set.ts';
import {
  chooseSetups,
  type Predictions,
  readPredictions,
  TEST_DATABASES,
} from '../src/lab/linking/replay-set.ts';
import { type ItemScore, scoreItems } from '../src/lab/linking/score/score-items.ts';
import type { LinkCase, LinkSet } from '../src/lab/linking/sets/link-set.ts';
import {
  DEFAULT_EXPANSIONS,
  EXPANSION_NAMES,
  type ExpansionName,
  replayReasoner,
} from '../src/reasoning/replay/index.ts';
import { readBenchOptions } from './bench-options.ts';
import { printReport } from './print-report.ts';

const ABOUT =
  'columns kept by votes of predicted queries, BIRD dev; srr, nsr, nsp, nsf: other databases, test…: the test-only three';
const HYPOTHESES = [1, 2, 4, 8];
/** Per cent of credibility; 0 keeps all that any path chose, 70 what EviLink would require. */
const THRESHOLDS = [0, 34, 66, 70];
/** Probabilities of the trained ranker from which on a column joins every hypothesis. */
const RANKED_FROM = [0.4, 0.3, 0.2];
/** Hypotheses of the curves over thresholds and expansions. */
const USUAL = 4;
const SMOKE_DATABASES = new Set(['superhero', 'toxicology']);

const options = readBenchOptions();
const data =
  readTerminalEnvironment().dataDirectory ?? join(import.meta.dirname, '..', '..', 'shared', 'data');
try {
  const only = options.isSmoke ? { only: SMOKE_DATABASES } : {};
  await measure(await readLinkSet('bird', { dataDirectory: data, ...only }), await readPredictions(data));
} catch (error) {
  if (!(error instanceof CandorError) || error.code !== 'eval.data-missing') throw error;
  process.stderr.write(`linking-replay: nothing was measured. ${error.message}\n  → ${error.next}\n`);
  process.exitCode = 3;
}

interface Trial {
  readonly hypotheses: number;
  readonly expansions: readonly ExpansionName[];
}

async function measure(set: LinkSet, predictions: Predictions): Promise<void> {
  const rows = [];
  for (const hypotheses of HYPOTHESES) {
    for (const expansions of [[], DEFAULT_EXPANSIONS]) {
      const votes = await voteAll(set, predictions, { hypotheses, expansions });
      const name = expansions.length === 0 ? 'none' : 'default';
      const thresholds = hypotheses === USUAL && expansions.length > 0 ? THRESHOLDS : [0];
      for (const tau of thresholds)
        rows.push({ hypotheses, expansions: name, tau, ...score(keptOf(votes, tau)) });
    }
  }
  for (const expansion of EXPANSION_NAMES) {
    const alone = await voteAll(set, predictions, { hypotheses: USUAL, expansions: [expansion] });
    rows.push({ hypotheses: USUAL, expansions: `${expansion} alone`, tau: 0, ...score(keptOf(alone, 0)) });
    const isDefault = DEFAULT_EXPANSIONS.includes(expansion);
    const others = isDefault
      ? DEFAULT_EXPANSIONS.filter((name) => name !== expansion)
      : [...DEFAULT_EXPANSIONS, expansion];
    const changed = await voteAll(set, predictions, { hypotheses: USUAL, expansions: others });
    const name = `default ${isDefault ? 'without' : 'and'} ${expansion}`;
    rows.push({ hypotheses: USUAL, expansions: name, tau: 0, ...score(keptOf(changed, 0)) });
  }
  for (const from of RANKED_FROM)
    rows.push({
      hypotheses: USUAL,
      expansions: `default and the ranker from ${from}`,
      tau: 0,
      ...score(await keepWithRanker(set, predictions, from)),
    });
  const databases = set.databases.size;
  printReport(
    { bench: 'linking-replay', about: ABOUT, rows, figures: { questions: set.cases.length, databases } },
    options,
  );
  if (options.output === 'table')
    process.stdout.write(`\nset-ups, strongest first: ${chooseSetups(predictions.setups, 8).join(', ')}\n`);
}

/** Every hypothesis also chooses what the trained ranker finds likely. */
async function keepWithRanker(set: LinkSet, predictions: Predictions, rankedFrom: number): Promise<Kept[]> {
  const linker = replayLinker(predictions, { hypotheses: USUAL, rankedFrom });
  const kept: Kept[] = [];
  for (const [name, database] of set.databases) {
    const open = await linker.open(database);
    for (const asked of set.cases.filter((each) => each.database === name))
      kept.push({ asked, fields: (await open.link(asked)).fields });
  }
  return kept;
}

interface Kept {
  readonly asked: LinkCase;
  readonly fields: ReadonlySet<string>;
}

function keptOf(voted: readonly Voted[], tau: number): Kept[] {
  return voted.map(({ asked, votes }) => ({ asked, fields: keptAt(votes, tau).fields }));
}

interface Voted {
  readonly asked: LinkCase;
  readonly votes: Votes;
}

async function voteAll(
  set: LinkSet,
  predictions: Predictions,
  { hypotheses, expansions }: Trial,
): Promise<Voted[]> {
  const setups = chooseSetups(predictions.setups, hypotheses);
  const voted: Voted[] = [];
  for (const asked of set.cases) {
    const { catalog } = set.databases.get(asked.database)!;
    const sqls = setups.flatMap((name) => predictions.sqlOf.get(name)?.get(asked.id) ?? []);
    const reasoner = replayReasoner(sqls, catalog, { expansions });
    voted.push({ asked, votes: await linkByVotes(asked, catalog, reasoner, { most: hypotheses }) });
  }
  return voted;
}

/** Means of the columns' figures in per cent, for the databases that might be looked at and for the test-only ones. */
function score(kept: readonly Kept[]): Record<string, number> {
  const scores = kept.map(({ asked, fields }) => ({
    isTest: TEST_DATABASES.has(asked.database),
    ...scoreItems(asked.goldFields ?? new Set(), fields),
  }));
  const mean = (of: readonly ItemScore[], key: keyof ItemScore): number =>
    Number(((100 * of.reduce((sum, each) => sum + each[key], 0)) / Math.max(1, of.length)).toFixed(2));
  const others = scores.filter(({ isTest }) => !isTest);
  const test = scores.filter(({ isTest }) => isTest);
  return {
    srr: mean(others, 'strict'),
    nsr: mean(others, 'recall'),
    nsp: mean(others, 'precision'),
    nsf: mean(others, 'f1'),
    testSrr: mean(test, 'strict'),
    testNsr: mean(test, 'recall'),
    testNsp: mean(test, 'precision'),
    testNsf: mean(test, 'f1'),
    allSrr: mean(scores, 'strict'),
    allNsf: mean(scores, 'f1'),
  };
}

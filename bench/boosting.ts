/**
 * Boosted trees beside LightGBM: the same rows, settings and one thread each.
 * `npx tsx bench/boosting.ts [--smoke] [--output json]`; the first whole run installs LightGBM into `.cache/`.
 */
import { makeScorer, type TrainingData, type TreeModel, trainTrees } from '../src/boosting/index.ts';
import { readTerminalEnvironment } from '../src/config/index.ts';
import { resolvePlaces } from '../src/lab/corpus/suite-places.ts';
import { readBenchOptions } from './bench-options.ts';
import { areaUnderCurve } from './boosting/area-under-curve.ts';
import { type BoostingSet, makeSet, readPredictionSet } from './boosting/boosting-sets.ts';
import { LIGHTGBM_VERSION, prepareLightgbm } from './boosting/lightgbm-environment.ts';
import { runLightgbm } from './boosting/run-lightgbm.ts';
import { printReport } from './print-report.ts';
import { startClock } from './start-clock.ts';

interface Row extends Readonly<Record<string, string | number>> {
  readonly what: string;
  readonly oursAuc: number;
  readonly peerAuc: number | string;
  readonly oursSeconds: number;
  /** Of the processor: what a machine with nothing else to do would take. */
  readonly oursCpuSeconds: number;
  readonly peerSeconds: number | string;
  readonly peerCpuSeconds: number | string;
  /** Of the processor, for a row. */
  readonly scoreUs: number;
  /** How far our scores of the peer's stored model are from its own, at most. */
  readonly dumpOff: number | string;
}

const SIZES: readonly { readonly rows: number; readonly columns: number; readonly trees: number }[] = [
  { rows: 15_000, columns: 30, trees: 150 },
  { rows: 100_000, columns: 60, trees: 100 },
  { rows: 1_000_000, columns: 60, trees: 200 },
];
const SMOKE_SIZES: typeof SIZES = [{ rows: 2_000, columns: 10, trees: 10 }];
const SETTINGS = { learningRate: 0.05, leaves: 31 };
const PREDICTION_TREES = 100;

const options = readBenchOptions();
const say = (line: string): void => void process.stderr.write(`boosting: ${line}\n`);
const peer = await prepareLightgbm(!options.isSmoke, say);
if ('missing' in peer) say(`LightGBM is left out: ${peer.missing}`);

const rows: Row[] = [];
for (const { rows: count, columns, trees } of options.isSmoke ? SMOKE_SIZES : SIZES)
  rows.push(await measure(makeSet(count, columns, 1), trees));
if (!options.isSmoke) {
  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  const predictions = await readPredictionSet(dataDirectory);
  if (predictions === undefined)
    say('the predictions of BIRD dev are left out: set CANDOR_DATA to their folder');
  else rows.push(await measure(predictions, PREDICTION_TREES));
}
const measured = rows.flatMap(({ oursAuc, peerAuc, oursCpuSeconds, peerCpuSeconds, dumpOff }) =>
  typeof peerAuc === 'number' && typeof peerCpuSeconds === 'number' && typeof dumpOff === 'number'
    ? [{ gap: peerAuc - oursAuc, ratio: oursCpuSeconds / peerCpuSeconds, dumpOff }]
    : [],
);
printReport(
  {
    bench: 'boosting',
    about: `boosted trees and LightGBM ${LIGHTGBM_VERSION} on the same rows, one thread each; AUC on held-out rows`,
    rows,
    figures:
      measured.length === 0
        ? { lastSeconds: rows.at(-1)?.oursSeconds ?? 0 }
        : {
            worstAucGap: Math.max(...measured.map(({ gap }) => gap)),
            worstCpuRatio: Math.max(...measured.map(({ ratio }) => ratio)),
            worstDumpOff: Math.max(...measured.map(({ dumpOff }) => dumpOff)),
          },
  },
  options,
);

async function measure(set: BoostingSet, trees: number): Promise<Row> {
  const what = `${set.name}: ${set.rows} × ${set.names.length}, ${trees} trees`;
  say(what);
  const settings = { ...SETTINGS, trees };
  const learned = learnedRows(set);
  const clock = startClock();
  const { model } = await trainTrees(learned, { settings });
  const { seconds: oursSeconds, cpuSeconds: oursCpuSeconds } = clock();
  const labels = set.labels.filter((_, row) => set.heldOut[row] === 1);
  const ours = scoreHeldOut(model, set);
  const theirs = 'missing' in peer ? undefined : await runLightgbm(peer.python, set, settings);
  return {
    what,
    oursAuc: areaUnderCurve(ours.scores, labels),
    peerAuc: theirs === undefined ? 'left out' : areaUnderCurve(theirs.scores, labels),
    oursSeconds,
    oursCpuSeconds,
    peerSeconds: theirs?.seconds ?? 'left out',
    peerCpuSeconds: theirs?.cpuSeconds ?? 'left out',
    scoreUs: (ours.cpuSeconds / labels.length) * 1e6,
    dumpOff:
      theirs === undefined ? 'left out' : furthest(scoreHeldOut(theirs.model, set).scores, theirs.scores),
  };
}

/** Without the held-out rows: given to training, they would choose the number of trees. */
function learnedRows({ names, features, labels, heldOut }: BoostingSet): TrainingData {
  const isLearned = (_: number, row: number): boolean => heldOut[row] === 0;
  const own = labels.filter(isLearned);
  return {
    names,
    rows: own.length,
    features: features.map((column) => column.filter(isLearned)),
    labels: own,
  };
}

/** The time is that of scoring alone, the second time over: rows are laid out, code is compiled before. */
function scoreHeldOut(model: TreeModel, set: BoostingSet): { scores: Float64Array; cpuSeconds: number } {
  const places = [...set.heldOut.keys()].filter((row) => set.heldOut[row] === 1);
  const width = set.names.length;
  const cells = new Float32Array(places.length * width);
  for (const [column, values] of set.features.entries())
    for (const [at, row] of places.entries()) cells[at * width + column] = values[row] ?? Number.NaN;
  const { score } = makeScorer(model);
  const scoreAll = (): Float64Array =>
    Float64Array.from(places, (_, at) => score(cells.subarray(at * width, (at + 1) * width)));
  scoreAll();
  const clock = startClock();
  const scores = scoreAll();
  return { scores, cpuSeconds: clock().cpuSeconds };
}

function furthest(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] ?? Number.NaN))), 0);
}

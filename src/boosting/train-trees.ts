/**
 * Gradient-boosted trees for a yes-or-no label: binary log-loss, second-order leaves, histograms, leaf-wise growth.
 * Friedman 2001; Chen and Guestrin 2016 (gain and output of a leaf); Ke et al. 2017 (LightGBM: bins, subtraction).
 */
import { setImmediate } from 'node:timers/promises';
import { CandorError } from '../errors.ts';
import { seededRandom } from '../lib/index.ts';
import { type BinnedRows, binRows, GROUP, placeOf } from './binned-rows.ts';
import { drawSome } from './draw-some.ts';
import { type GrownTree, type GrowthPlan, growTree, HistogramPool } from './grow-tree.ts';
import type { Derivatives } from './histogram.ts';
import { type CheckedData, checkTrainingData, type TrainingData } from './training-data.ts';
import { checkTrainingSettings, type TrainingSettings } from './training-settings.ts';
import { leafReference, type Tree, type TreeModel } from './tree-model.ts';

export interface TrainingProgress {
  readonly stage: 'bin' | 'grow';
  /** Columns or trees. */
  readonly done: number;
  readonly of: number;
  /** Mean log-loss after the trees so far, in nats. */
  readonly loss?: number | undefined;
  readonly heldOutLoss?: number | undefined;
}

export interface TrainingOptions {
  readonly settings?: Partial<TrainingSettings>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined;
}

export interface Training {
  readonly model: TreeModel;
  /** With every default filled in. */
  readonly settings: TrainingSettings;
  /** Mean log-loss in nats before any tree and after each, of the kept ones and those given up. */
  readonly losses: readonly number[];
  readonly heldOutLosses: readonly number[];
  /** By column, the gain of its splits in the kept trees. */
  readonly gains: readonly number[];
}

/**
 * Trains a model. The same data and settings give the same model on every machine. Throws `boosting.data-invalid`
 * for data or settings that cannot be learned from, `boosting.cancelled` when the signal was given.
 */
export async function trainTrees(data: TrainingData, options: TrainingOptions = {}): Promise<Training> {
  const checked = checkTrainingData(data);
  const settings = checkTrainingSettings(options.settings ?? {}, checked.names);
  const { signal, onProgress } = options;
  const pause = async (): Promise<void> => {
    await setImmediate();
    if (signal?.aborted) throw new CandorError('boosting.cancelled', 'the training was cancelled');
  };
  let column = 0;
  const binned = await binRows(checked, { mostBins: settings.bins, seed: settings.seed }, async () => {
    onProgress?.({ stage: 'bin', done: column++, of: checked.columns.length });
    await pause();
  });
  const run = new TrainingRun(checked, binned, settings);
  while (!run.isFinished) {
    await pause();
    run.addTree();
    const [loss, heldOutLoss] = [run.losses.at(-1), run.heldOutLosses.at(-1)];
    onProgress?.({ stage: 'grow', done: run.losses.length - 1, of: settings.trees, loss, heldOutLoss });
  }
  return run.finish();
}

class TrainingRun {
  readonly losses: number[];
  readonly heldOutLosses: number[];
  isFinished = false;
  readonly #data: CheckedData;
  readonly #binned: BinnedRows;
  readonly #settings: TrainingSettings;
  readonly #standing: Standing;
  readonly #pool: HistogramPool;
  readonly #directions: Int8Array;
  readonly #random: () => number;
  readonly #trees: { readonly tree: Tree<readonly number[]>; readonly gains: readonly number[] }[] = [];

  constructor(data: CheckedData, binned: BinnedRows, settings: TrainingSettings) {
    this.#data = data;
    this.#binned = binned;
    this.#settings = settings;
    this.#standing = startStanding(data);
    this.#pool = new HistogramPool(binned.histogramLength);
    this.#directions = Int8Array.from(data.names, (name) => settings.monotone[name] ?? 0);
    this.#random = seededRandom(settings.seed);
    this.losses = [differentiate(this.#standing, data)];
    this.heldOutLosses = data.heldOut.length > 0 ? [meanLoss(this.#standing, data, data.heldOut)] : [];
  }

  addTree(): void {
    const { learned, heldOut, names } = this.#data;
    const { rowShare, columnShare, trees } = this.#settings;
    const rows = drawSome(learned, rowShare, this.#random);
    const all = Int32Array.from(names, (_, column) => column);
    const columns = drawSome(all, columnShare, this.#random).drawn;
    const grown = growTree(this.#planFor([...columns]), this.#standing, rows.drawn);
    if (grown.tree.feature.length === 0 && rows.rest.length === 0 && columns.length === names.length) {
      // Without a split now there is none for any later tree.
      this.isFinished = true;
      return;
    }
    addTree(this.#standing, grown, this.#binned, [rows.rest, heldOut]);
    this.#trees.push(grown);
    this.losses.push(differentiate(this.#standing, this.#data));
    if (heldOut.length > 0) this.heldOutLosses.push(meanLoss(this.#standing, this.#data, heldOut));
    this.isFinished = this.#trees.length >= trees || this.#hasLostPatience();
  }

  finish(): Training {
    const { names } = this.#data;
    const kept = this.#trees.slice(0, this.#bestLength());
    const gains = names.map(() => 0);
    for (const { tree, gains: own } of kept)
      tree.feature.forEach((column, split) => {
        gains[column] = (gains[column] ?? 0) + (own[split] ?? 0);
      });
    return {
      model: { features: names, base: this.#standing.base, trees: kept.map(({ tree }) => tree) },
      settings: this.#settings,
      losses: this.losses,
      heldOutLosses: this.heldOutLosses,
      gains,
    };
  }

  #planFor(columns: readonly number[]): GrowthPlan {
    const isWanted = this.#binned.groups.map((_, group) =>
      columns.some((column) => Math.floor(column / GROUP) === group),
    );
    const [settings, binned, pool, directions] = [this.#settings, this.#binned, this.#pool, this.#directions];
    return { settings, binned, pool, directions, columns, isWanted };
  }

  /** Trees up to the lowest held-out loss, the first of equals; all of them where nothing is held out. */
  #bestLength(): number {
    if (this.heldOutLosses.length === 0) return this.#trees.length;
    return this.heldOutLosses.indexOf(Math.min(...this.heldOutLosses));
  }

  #hasLostPatience(): boolean {
    return (
      this.heldOutLosses.length > 0 && this.#trees.length - this.#bestLength() >= this.#settings.patience
    );
  }
}

/** Where every row stands after the trees so far: its log-odds, and the derivatives of its weighted loss. */
interface Standing extends Derivatives {
  /** Log-odds of the labels that are learned from, before any tree. */
  readonly base: number;
  readonly scores: Float64Array;
}

/** Keeps a leaf of rows that are all certain from dividing by nothing. */
const LEAST_SECOND = 1e-16;
/** A probability of 0 or 1 in 64 bits would make a loss without end. */
const LEAST_PROBABILITY = 1e-15;

function startStanding({ rows, learned, labels, weights }: CheckedData): Standing {
  let ones = 0;
  let all = 0;
  for (const row of learned) {
    all += weights[row]!;
    if (labels[row] === 1) ones += weights[row]!;
  }
  const base = Number(Math.log(ones / (all - ones)).toPrecision(9));
  const scores = new Float64Array(rows).fill(base);
  return { base, scores, first: new Float64Array(rows), second: new Float64Array(rows) };
}

/** Writes the derivatives of the log-loss for the rows that are learned from; returns its weighted mean in nats. */
function differentiate(
  { scores, first, second }: Standing,
  { learned, labels, weights }: CheckedData,
): number {
  let loss = 0;
  let all = 0;
  for (let at = 0; at < learned.length; at++) {
    const row = learned[at]!;
    const weight = weights[row]!;
    const label = labels[row]!;
    const probability = 1 / (1 + Math.exp(-scores[row]!));
    first[row] = weight * (probability - label);
    second[row] = weight * Math.max(LEAST_SECOND, probability * (1 - probability));
    loss -= weight * Math.log(Math.max(LEAST_PROBABILITY, label === 1 ? probability : 1 - probability));
    all += weight;
  }
  return loss / all;
}

/** Weighted mean log-loss of some rows in nats. */
function meanLoss({ scores }: Standing, { labels, weights }: CheckedData, rows: Int32Array): number {
  let loss = 0;
  let all = 0;
  for (const row of rows) {
    const probability = 1 / (1 + Math.exp(-scores[row]!));
    const ofLabel = labels[row] === 1 ? probability : 1 - probability;
    loss -= weights[row]! * Math.log(Math.max(LEAST_PROBABILITY, ofLabel));
    all += weights[row]!;
  }
  return loss / all;
}

/** Adds what the tree says: by leaf for the rows it was grown of, by a walk over bins for the others. */
function addTree(
  { scores }: Standing,
  grown: GrownTree,
  binned: BinnedRows,
  others: readonly Int32Array[],
): void {
  const { tree, rowsOfLeaf } = grown;
  rowsOfLeaf.forEach((rows, leaf) => {
    const value = tree.leaf[leaf]!;
    for (let at = 0; at < rows.length; at++) scores[rows[at]!]! += value;
  });
  const leafOf = leafFinder(grown, binned);
  for (const rows of others) for (const row of rows) scores[row]! += tree.leaf[leafOf(row)]!;
}

function leafFinder({ tree, bins }: GrownTree, binned: BinnedRows): (row: number) => number {
  const places = tree.feature.map((column) => placeOf(binned, column));
  const missing = tree.feature.map((column) => binned.columns[column]!.valueBins);
  const root = tree.feature.length === 0 ? leafReference(0) : 0;
  return (row) => {
    let node = root;
    while (node >= 0) {
      const { bins: column, shift } = places[node]!;
      const bin = (column[row]! >>> shift) & 255;
      const isLeft = bin === missing[node] ? tree.missingLeft[node] === 1 : bin <= bins[node]!;
      node = (isLeft ? tree.left[node] : tree.right[node])!;
    }
    return leafReference(node);
  };
}

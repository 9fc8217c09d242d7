/** The experiments of node uncertainty, each trained on the open databases and measured on the test databases. */
import { once } from '../../../lib/index.ts';
import {
  ASKED_GROUPS,
  type FeatureGroupName,
  openUncertaintyModel,
  PUBLISHED_GROUPS,
} from '../../../uncertainty/index.ts';
import { TEST_DATABASES } from '../../linking/replay-set.ts';
import type { LabelledNodes, NodeRows, RowQuery } from '../data/node-rows.ts';
import { type PredictedQuestion, type PredictionSet, readPredictionSet } from '../data/prediction-set.ts';
import { type Planned, type ReadCandidate, type ReadRows, readRows } from '../data/read-rows.ts';
import {
  fitNodes,
  type ScoredQueries,
  scoreNodes,
  scoreUnseen,
  type TrainedUncertainty,
  trainUncertainty,
} from '../training/train-uncertainty.ts';
import type { ExperimentReport, Measured, MeasuredPart } from './experiment-report.ts';
import { localisation } from './localisation.ts';
import { type NodeFigures, nodeFigures } from './node-figures.ts';
import { queryFigures } from './query-figures.ts';
import { allChoices, fiveChoices, rankChoices } from './rank-choices.ts';
import { selectionFigures } from './selection.ts';
import {
  BASE,
  besideAll,
  besideEachOther,
  besideSetups,
  eightSetups,
  FIVE_PROMPTS,
  OTHER_FAMILIES,
} from './setups.ts';
import { measureShipped } from './shipped.ts';

export const EXPERIMENT_NAMES = [
  'static',
  'samples4',
  'published72',
  'in-database',
  'transfer',
  'setups8',
  'select-all',
  'shipped',
] as const;
export type ExperimentName = (typeof EXPERIMENT_NAMES)[number];

export interface ExperimentOptions {
  readonly dataDirectory: string;
  readonly only?: readonly ExperimentName[];
  /** Folds of databases for held-out scores of the open ones; 8: one database is left out at a time. */
  readonly folds?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (stage: string, done: number, of: number) => void;
}

const AGREEING_GROUPS: readonly FeatureGroupName[] = [...ASKED_GROUPS, 'agreement'];

/** Throws `eval.data-missing`. Takes about half an hour on two cores; nothing is kept but the figures. */
export async function runExperiments(options: ExperimentOptions): Promise<ExperimentReport> {
  const names = options.only ?? EXPERIMENT_NAMES;
  const bird = await readPredictionSet('bird', options.dataDirectory);
  const readPrompts = once(() => readAs('prompts', bird, besideFamily, options));
  const setting: Setting = { bird, prompts: async () => (await readPrompts()).rows, options };
  let report: ExperimentReport = {};
  for (const name of names) report = { ...report, ...(await EXPERIMENTS[name](setting)) };
  const read = await readPrompts.begun();
  return read === undefined ? report : { ...report, unread: read.unread.length };
}

/** Each answer beside the others of its model; of other models on open databases only, and every third question. */
function besideFamily(
  candidates: readonly ReadCandidate[],
  { id, database }: PredictedQuestion,
): readonly Planned[] {
  const own = besideEachOther(FIVE_PROMPTS)(candidates);
  if (TEST_DATABASES.has(database) || Number(id) % 3 !== 0) return own;
  return [...own, ...OTHER_FAMILIES.flatMap((setups) => besideEachOther(setups)(candidates))];
}

const FIVE: ReadonlySet<string> = new Set(FIVE_PROMPTS);
const isOfFive = ({ tag }: RowQuery): boolean => FIVE.has(tag);

interface Setting {
  readonly bird: PredictionSet;
  /** The five prompts of the 7B model on BIRD; read when first asked for, which takes minutes. */
  readonly prompts: () => Promise<NodeRows>;
  readonly options: ExperimentOptions;
}

const EXPERIMENTS: Readonly<
  Record<ExperimentName, (setting: Setting) => Promise<Partial<ExperimentReport>>>
> = {
  static: async (setting) => ({ static: await inTwoLabels(setting, ASKED_GROUPS) }),
  samples4: async (setting) => {
    const { trained, unseen, measured } = await measure(setting, await setting.prompts(), AGREEING_GROUPS, {
      isOwn: isOfFive,
    });
    const published = await withPublishedLabels(setting, AGREEING_GROUPS);
    return {
      samples4: { ...measured, published },
      pickFive: selectionFigures(fiveChoices(setting.bird, [trained.heldOut, unseen])),
    };
  },
  published72: async (setting) => {
    const { prompts, options } = setting;
    const rows = (await prompts()).part({ groups: PUBLISHED_GROUPS });
    const tolerant = await trainAndTest(rows, options, isBase);
    return { published72: { tolerant, published: await withPublishedLabels(setting, PUBLISHED_GROUPS) } };
  },
  'in-database': async ({ prompts, options }) => ({ inDatabase: await inDatabase(await prompts(), options) }),
  transfer: async (setting) => ({ transfer: await transfer(setting) }),
  setups8: async (setting) => {
    const { bird, options } = setting;
    const eight = await eightSetups(options.dataDirectory);
    const { rows } = await readAs('set-ups', bird, besideSetups(eight), options);
    const { measured } = await measure(setting, rows, AGREEING_GROUPS);
    return { setups8: { ...measured, setups: eight } };
  },
  'select-all': async (setting) => {
    const { bird, options } = setting;
    const { rows } = await readAs('all candidates', bird, besideAll, options);
    const { trained, unseen, measured } = await measure(setting, rows, AGREEING_GROUPS, {
      isMeasured: () => true,
      nodeShare: 0.2,
    });
    const choices = allChoices(bird, [trained.heldOut, unseen]);
    return {
      pickAllByRisk: selectionFigures(choices),
      pickAll: selectionFigures(await rankChoices(choices)),
      allCandidates: measured,
    };
  },
  shipped: async ({ options }) => ({
    shipped: await measureShipped(await openUncertaintyModel(), options),
  }),
};

const isBase = ({ tag }: RowQuery): boolean => tag === BASE;

async function readAs(
  what: string,
  set: PredictionSet,
  plan: Parameters<typeof readRows>[1]['plan'],
  { signal, onProgress }: ExperimentOptions,
): Promise<ReadRows> {
  return readRows(
    set,
    { groups: AGREEING_GROUPS, plan },
    { ...(signal && { signal }), onProgress: (done, of) => onProgress?.(`reading ${what}`, done, of) },
  );
}

interface MeasureOptions {
  readonly isMeasured?: (query: RowQuery) => boolean;
  /** The others are learned from and nothing is calibrated on them. */
  readonly isOwn?: (query: RowQuery) => boolean;
  readonly nodeShare?: number;
}

/** Folds on the open databases, the whole model on the test databases. */
async function measure(
  { options }: Setting,
  all: NodeRows,
  groups: readonly FeatureGroupName[],
  { isMeasured = isBase, isOwn = () => true, nodeShare = 1 }: MeasureOptions = {},
): Promise<{
  readonly trained: TrainedUncertainty;
  readonly unseen: ScoredQueries;
  readonly measured: Measured;
}> {
  const rows = all.part({ groups });
  const [open, test] = splitByDatabase(rows.queries);
  const train = open.filter(isOwn);
  const alsoLearn = open.filter((query) => !isOwn(query));
  const trained = await trainUncertainty(rows, train, { ...trainOptions(options), nodeShare, alsoLearn });
  const unseen = scoreUnseen(trained, rows, test);
  const onPart = (scored: ScoredQueries) => measuredPart(rows, scored, { train, trained, isMeasured });
  return { trained, unseen, measured: { test: onPart(unseen), open: onPart(trained.heldOut) } };
}

function trainOptions({ folds = 8, signal, onProgress }: ExperimentOptions) {
  return { folds, ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

async function inTwoLabels(setting: Setting, groups: readonly FeatureGroupName[]) {
  const { measured } = await measure(setting, await setting.prompts(), groups, { isOwn: isOfFive });
  return { ...measured, published: await withPublishedLabels(setting, groups) };
}

async function withPublishedLabels(
  { prompts, options }: Setting,
  groups: readonly FeatureGroupName[],
): Promise<NodeFigures> {
  return trainAndTest((await prompts()).part({ groups, labels: 'published' }), options, isBase);
}

async function trainAndTest(
  rows: LabelledNodes,
  options: ExperimentOptions,
  isMeasured: (query: RowQuery) => boolean,
  [train, test] = splitByDatabase(rows.queries),
): Promise<NodeFigures> {
  const forest = await fitNodes(rows, train, {
    signal: options.signal,
    onProgress: (done, of) => options.onProgress?.('nodes', done, of),
  });
  const logOdds = new Float64Array(rows.count).fill(Number.NaN);
  const measured = test.filter(isMeasured);
  scoreNodes(forest, rows, measured, logOdds);
  return nodeFigures(rows, measured, logOdds, { train });
}

type Split = readonly [train: readonly RowQuery[], test: readonly RowQuery[]];

function splitByDatabase(queries: readonly RowQuery[]): Split {
  const isTest = ({ database }: RowQuery): boolean => TEST_DATABASES.has(database);
  return [queries.filter((query) => !isTest(query)), queries.filter(isTest)];
}

/** Experiment 1: of each open database every fifth question is measured on, the others are learned from. */
function inDatabase(prompts: NodeRows, options: ExperimentOptions): Promise<NodeFigures> {
  const rows = prompts.part({ groups: ASKED_GROUPS });
  const [open] = splitByDatabase(rows.queries);
  const measured = new Set<string>();
  for (const database of new Set(open.map((query) => query.database))) {
    const questions = new Set(open.flatMap((query) => (query.database === database ? [query.question] : [])));
    for (const [at, question] of [...questions].entries()) if (at % 5 === 4) measured.add(question);
  }
  const isMeasured = ({ question }: RowQuery): boolean => measured.has(question);
  return trainAndTest(rows, options, isBase, [
    open.filter((query) => !isMeasured(query)),
    open.filter(isMeasured),
  ]);
}

/** Learned from the same model's queries for Spider dev, measured on the test databases of BIRD. */
async function transfer({ prompts, options }: Setting): Promise<NodeFigures> {
  const spider = await readPredictionSet('spider', options.dataDirectory);
  const { rows } = await readAs('Spider', spider, besideEachOther(FIVE_PROMPTS), options);
  const from = rows.part({ groups: ASKED_GROUPS });
  const to = (await prompts()).part({ groups: ASKED_GROUPS });
  const forest = await fitNodes(from, from.queries, { signal: options.signal });
  const logOdds = new Float64Array(to.count).fill(Number.NaN);
  const measured = splitByDatabase(to.queries)[1].filter(isBase);
  scoreNodes(forest, to, measured, logOdds);
  return nodeFigures(to, measured, logOdds, { train: splitByDatabase(to.queries)[0] });
}

/** All figures of one part of the databases: of its nodes, its marks and its queries. */
export interface MeasuredPartOptions {
  /** What was learned from; its error rates by type are the baseline. */
  readonly train: readonly RowQuery[];
  readonly trained: TrainedUncertainty;
  readonly isMeasured: (query: RowQuery) => boolean;
}

function measuredPart(
  rows: LabelledNodes,
  { queries, nodeLogOdds, queryLogOdds }: ScoredQueries,
  { train, trained: { calibrator, queryCalibrator }, isMeasured }: MeasuredPartOptions,
): MeasuredPart {
  const chosen = queries.flatMap((query, at) => (isMeasured(query) ? [{ query, at }] : []));
  const measured = chosen.map(({ query }) => query);
  return {
    nodes: nodeFigures(rows, measured, nodeLogOdds, { train, calibrator }),
    localisation: localisation(rows, measured, nodeLogOdds, calibrator),
    queries: queryFigures(
      measured,
      chosen.map(({ at }) => queryLogOdds[at] ?? 0),
      queryCalibrator,
      agreementOf(rows, measured),
    ),
    rightWithError: rightWithError(rows, measured),
  };
}

/** How often a query that is right still carries an error label: how far labels by one gold are from the truth. */
function rightWithError(rows: LabelledNodes, queries: readonly RowQuery[]): number {
  const right = queries.filter(({ isRight }) => isRight === true);
  const marked = right.filter(({ start, end }) =>
    Array.from({ length: end - start }, (_, at) => rows.labelAt(start + at)).includes(1),
  );
  return marked.length / right.length;
}

/** By query, the share of the other candidates that are the same query; undefined where agreement is not looked at. */
function agreementOf(rows: LabelledNodes, queries: readonly RowQuery[]): Float64Array | undefined {
  const column = rows.space.features.findIndex(({ name }) => name === 'others_whole');
  if (column < 0) return undefined;
  const read = rows.rowReader({});
  const row = new Float32Array(rows.space.features.length);
  return Float64Array.from(queries, ({ start }) => {
    read(start, row);
    // A query that is beside no other agrees with none.
    return Number.isNaN(row[column] ?? 0) ? 0 : (row[column] ?? 0);
  });
}

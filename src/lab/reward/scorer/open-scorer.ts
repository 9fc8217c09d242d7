/** Everything with side effects that the reward needs: queries are run, texts embedded, golds kept. */
import { estimateTokens } from '../../../catalog/prompt-schema/index.ts';
import type { Database, QueryLimits } from '../../../database/index.ts';
import { cached, type EmbeddingModel } from '../../../model/index.ts';
import type { NamedSchema } from '../../../sql/scope/index.ts';
import {
  computeReward,
  type Reward,
  type RewardDetail,
  type RewardOptions,
} from '../formula/compute-reward.ts';
import { parseQuery, type ReadAnswer, readAnswer } from '../formula/read-answer.ts';
import { isPlannable, type QueryRun, type RunError, runPredicted } from './run-predicted.ts';
import type { ScoreItem } from './virtual-schema.ts';
import { nameFaults, notMaterialised, overRealTables, virtualSchema } from './virtual-schema.ts';

export interface ScorerSetting extends RewardOptions {
  /** Guarded, all of one database: an engine in a file runs one query of each at a time. */
  readonly databases: readonly [Database, ...Database[]];
  /** What the database has. */
  readonly schema: NamedSchema;
  /** Of every query, gold and predicted. */
  readonly limits: QueryLimits;
  /** Stays the caller's to close. */
  readonly embedding: EmbeddingModel;
}

export interface ItemScore extends Omit<Reward, 'detail'> {
  readonly id?: string | number;
  readonly detail: ScoreDetail;
}

interface ScoreDetail extends RewardDetail {
  readonly tokens: number;
  /** The length was not given. */
  readonly areTokensEstimated?: true;
  /** Names were checked against the schema of the question, since nothing could be run. */
  readonly isByNames?: true;
  /** Why the answer has no result. */
  readonly answerError?: RunError;
  /** Why the gold has no result: the item cannot earn what results are worth. */
  readonly goldError?: RunError;
}

export interface Scorer {
  /** Throws only what is no fault of the item: the database or the model cannot be reached, or it is cancelled. */
  score(item: ScoreItem, signal: AbortSignal): Promise<ItemScore>;
  /** Forgets what golds gave where the database says that its rows may have changed. */
  refresh(signal?: AbortSignal): Promise<void>;
}

/** Cells of all gold results that are kept. */
const MOST_GOLD_CELLS = 5_000_000;

interface GoldRun extends QueryRun {
  readonly cells: number;
}

/** Opens a scorer over databases and a model that stay the caller's to close. */
export function openScorer(setting: ScorerSetting): Scorer {
  const golds = new GoldCache<GoldRun>(MOST_GOLD_CELLS);
  const pick = leastBusy(setting.databases);
  const parts: ScorerParts = {
    setting,
    golds,
    meanings: meaningsOf(setting.embedding),
    run: (sql, signal) => pick((database) => runPredicted(sql, database, { limits: setting.limits, signal })),
    plan: (sql, signal) => pick((database) => isPlannable(sql, database, signal)),
  };
  let stamp: string | undefined;
  return {
    score: (item, signal) => scoreItem(item, parts, signal),
    async refresh(signal) {
      const now = await setting.databases[0].stamp(signal);
      if (stamp !== undefined && stamp !== now) golds.clear();
      stamp = now;
    },
  };
}

interface ScorerParts {
  readonly setting: ScorerSetting;
  readonly golds: GoldCache<GoldRun>;
  readonly meanings: Meanings;
  readonly run: (sql: string, signal: AbortSignal) => Promise<QueryRun>;
  readonly plan: (sql: string, signal: AbortSignal) => Promise<boolean>;
}

/** Gives each work the database with the fewest before it. */
function leastBusy(databases: readonly [Database, ...Database[]]) {
  const places = databases.map((database) => ({ database, works: 0 }));
  return async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
    const [first, ...others] = places;
    const place = others.reduce((least, other) => (other.works < (least?.works ?? 0) ? other : least), first);
    if (place === undefined) return work(databases[0]);
    place.works += 1;
    try {
      return await work(place.database);
    } finally {
      place.works -= 1;
    }
  };
}

/** What running the SQL of an answer and its gold brought. */
interface Runs {
  readonly predicted?: QueryRun;
  readonly gold?: QueryRun;
  readonly isByNames?: true;
}

async function scoreItem(item: ScoreItem, parts: ScorerParts, signal: AbortSignal): Promise<ItemScore> {
  const { schema, databases, codeCompat = false, usesRules = false } = parts.setting;
  const { dialect } = databases[0];
  const { answer } = readAnswer(item.output, { dialect, codeCompat });
  const runs = await runQueries(item, answer, parts, signal);
  const [goldResult, predictedResult] = [runs.gold?.result, runs.predicted?.result];
  const tokens = item.lengthTokens ?? estimateTokens(item.output);
  const headers =
    goldResult && predictedResult
      ? await parts.meanings.compareNames(goldResult.columns, predictedResult.columns, signal)
      : undefined;
  const isByMeaning = answer.kind === 'nl' && item.goldKind === 'nl';
  const { category, goldKind, gold, output } = item;
  const { detail, ...reward } = computeReward(
    {
      ...{ category, goldKind, gold, output, tokens, dialect, goldResult, predictedResult, headers },
      schema: item.virtualTables === undefined ? schema : virtualSchema(schema, item.virtualTables),
      orderMatters: item.orderMatters === true && isOrdered(gold, parts),
      isPlannable: runs.predicted?.isPlannable ?? false,
      meaning: isByMeaning ? await parts.meanings.compare(answer.text, gold, signal) : undefined,
    },
    { codeCompat, usesRules },
  );
  return {
    ...(item.id !== undefined && { id: item.id }),
    ...reward,
    detail: {
      ...detail,
      tokens,
      ...(item.lengthTokens === undefined && { areTokensEstimated: true }),
      ...(runs.isByNames && { isByNames: true }),
      ...(runs.predicted?.error && { answerError: runs.predicted.error }),
      ...(runs.gold?.error && { goldError: runs.gold.error }),
    },
  };
}

function isOrdered(gold: string, { setting }: ScorerParts): boolean {
  const tree = parseQuery(gold, setting.databases[0].dialect);
  return tree?.root.children.some(({ role }) => role === 'order') === true;
}

async function runQueries(
  item: ScoreItem,
  answer: ReadAnswer,
  parts: ScorerParts,
  signal: AbortSignal,
): Promise<Runs> {
  if (answer.kind !== 'sql') return {};
  const { codeCompat } = parts.setting;
  // A query where words are due earns nothing: it is not run. The published code asks EXPLAIN.
  if (item.goldKind === 'nl')
    return codeCompat ? { predicted: { isPlannable: await parts.plan(answer.text, signal) } } : {};
  if (codeCompat && item.category === 'degenerate')
    return { predicted: { isPlannable: await parts.plan(answer.text, signal) } };
  return item.virtualTables === undefined
    ? runOverDatabase(item, answer.text, parts, signal)
    : runOverVirtual(item, answer.text, parts, signal);
}

async function runOverDatabase(
  { gold, category }: ScoreItem,
  sql: string,
  parts: ScorerParts,
  signal: AbortSignal,
): Promise<Runs> {
  const goldRun = await runGold(gold, parts, signal);
  if (category === 'degenerate' && goldRun.result === undefined && !goldRun.isPlannable) {
    // What the gold names was in the schema of the question, so that only other unknown names are faults.
    const known = faultsOf(gold, parts);
    const faults = [...faultsOf(sql, parts)].filter((fault) => !known.has(fault));
    return { predicted: byNames(faults), isByNames: true };
  }
  // The very text of the gold has been run.
  return { gold: goldRun, predicted: sql === gold.trim() ? goldRun : await parts.run(sql, signal) };
}

async function runOverVirtual(
  item: ScoreItem,
  sql: string,
  parts: ScorerParts,
  signal: AbortSignal,
): Promise<Runs> {
  const { dialect } = parts.setting.databases[0];
  const tables = notMaterialised(item.virtualTables ?? [], parts.setting.schema);
  if (tables.length === 0) return runOverDatabase(item, sql, parts, signal);
  const { schema: real } = parts.setting;
  const gold = overRealTables(item.gold, dialect, { real, tables });
  const predicted = overRealTables(sql, dialect, { real, tables });
  const faults = [...faultsOf(sql, parts, virtualSchema(real, tables))];
  // An unknown name may mean something in the query behind a virtual table: it is a fault all the same.
  if (gold === undefined || predicted === undefined || faults.length > 0) {
    const goldRun = gold === undefined ? undefined : await runGold(gold, parts, signal);
    return { ...(goldRun && { gold: goldRun }), predicted: byNames(faults), isByNames: true };
  }
  return { gold: await runGold(gold, parts, signal), predicted: await parts.run(predicted, signal) };
}

/** One run for all who ask: it goes on when one of them leaves. */
function runGold(sql: string, parts: ScorerParts, signal: AbortSignal): Promise<QueryRun> {
  signal.throwIfAborted();
  return parts.golds.get(sql, async () => {
    const run = await parts.run(sql, new AbortController().signal);
    const { columns = [], rows = [] } = run.result ?? {};
    return { ...run, cells: columns.length * rows.length };
  });
}

function faultsOf(sql: string, { setting }: ScorerParts, schema = setting.schema): ReadonlySet<string> {
  return nameFaults(sql, setting.databases[0].dialect, schema);
}

function byNames(faults: readonly string[]): QueryRun {
  if (faults.length === 0) return { isPlannable: true };
  const message = `the schema of the question does not have it: ${faults.join(', ')}`;
  return { isPlannable: false, error: { code: 'reward.unknown-name', message } };
}

// Cosines of texts, by an embedding model.

/** Of the texts of gold and of the names of columns, which come again and again. */
const TEXTS_KEPT = 20_000;
/** Names beyond these are left without a partner. */
const MOST_COLUMNS = 256;
const MOST_NAME_CHARACTERS = 200;

interface Meanings {
  /** The cosine of two sentences; 1 for the same text, which the model does not see. */
  compare(answer: string, gold: string, signal: AbortSignal): Promise<number>;
  /** Cosines of column names, by gold column, then predicted one. */
  compareNames(
    gold: readonly string[],
    predicted: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (readonly number[])[]>;
}

/** Names of columns are compared in lower case. The model stays the caller's to close. */
function meaningsOf(model: EmbeddingModel): Meanings {
  const kept = cached(model, TEXTS_KEPT);
  const fold = (name: string): string => name.trim().toLowerCase().slice(0, MOST_NAME_CHARACTERS);
  return {
    async compare(answer, gold, signal) {
      const [left, right] = [answer.trim(), gold.trim()];
      if (left === right) return 1;
      const [a, b] = await kept.embed([left, right], signal);
      return cosine(a, b);
    },
    async compareNames(gold, predicted, signal) {
      const wanted = gold.slice(0, MOST_COLUMNS).map(fold);
      const given = predicted.slice(0, MOST_COLUMNS).map(fold);
      const vectors = await kept.embed([...wanted, ...given], signal);
      return wanted.map((_, row) =>
        given.map((_, column) => cosine(vectors[row], vectors[wanted.length + column])),
      );
    },
  };
}

/** Of unit vectors. */
function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** What one gold query takes of the memory for all of them, in cells, beside the cells of its result. */
const OWN_CELLS = 100;

export interface Kept {
  readonly cells: number;
}

/**
 * Results of gold queries, so that the many outputs for one question run its gold once: also while it runs. The ones
 * used longest ago go when all have more than `most` cells. What fails is asked for anew.
 */
export class GoldCache<Result extends Kept> {
  readonly #most: number;
  /** The one used last comes last. */
  readonly #kept = new Map<string, { readonly result: Promise<Result>; cells: number }>();
  #cells = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, run: () => Promise<Result>): Promise<Result> {
    const known = this.#kept.get(key);
    const entry = known ?? { result: run(), cells: OWN_CELLS };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (known !== undefined) return known.result;
    this.#cells += entry.cells;
    entry.result.then(
      ({ cells }) => {
        if (this.#kept.get(key) !== entry) return;
        entry.cells += cells;
        this.#cells += cells;
        this.#shrink(key);
      },
      () => this.#drop(key, entry),
    );
    return entry.result;
  }

  clear(): void {
    this.#kept.clear();
    this.#cells = 0;
  }

  get size(): number {
    return this.#kept.size;
  }

  #shrink(spared: string): void {
    for (const [key, entry] of this.#kept) {
      if (this.#cells <= this.#most) return;
      if (key !== spared) this.#drop(key, entry);
    }
  }

  #drop(key: string, entry: { readonly cells: number }): void {
    if (this.#kept.get(key) !== entry) return;
    this.#kept.delete(key);
    this.#cells -= entry.cells;
  }
}

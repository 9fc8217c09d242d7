/** Questions with gold queries and databases that can be asked: what the engine learns from. */
import { join } from 'node:path';
import { projectConfig } from '../../config/index.ts';
import type { QueryLimits } from '../../database/index.ts';
import { once } from '../../lib/index.ts';
import { readQuestion } from '../../reasoning/grounded/index.ts';
import {
  type AskedModels,
  makeCandidates,
  type QueryTraits,
  queryTraits,
  type ReadQuestion,
  readAsked,
  readingFeatures,
} from '../../reasoning/grounded/rate/index.ts';
import { openSession, type Session } from '../../session/index.ts';
import {
  type ComparisonPolicy,
  type EvaluationCase,
  resolvePlaces,
  type Suite,
  type SuitePlaces,
} from '../corpus/index.ts';
import { runGold } from '../evaluation/comparators/gold.ts';
import { runQuery } from '../evaluation/comparators/run-query.ts';
import type { SampledRows } from '../stacking/sampled-rows.ts';

/** One question as the rules read it, and how to tell a right query. */
export interface TrainingItem {
  readonly id: string;
  readonly question: ReadQuestion;
  readonly gold: QueryTraits;
  /** Whether the gold query gives a result; without one nothing is right or wrong. */
  hasGold(): Promise<boolean>;
  /** Whether a query gives the gold result. */
  isRight(sql: string): Promise<boolean>;
}

export interface EngineTrainingSet {
  readonly name: string;
  readonly databases: readonly string[];
  readonly size: number;
  /** Calls for each question of a database that has a gold query and can be read. */
  visit(database: string, each: (item: TrainingItem) => Promise<void> | void): Promise<void>;
}

export interface TrainingSetOptions extends SuitePlaces {
  readonly signal?: AbortSignal;
}

/** Small enough that a query gone astray does not hold up thousands of others. */
const LIMITS: QueryLimits = { rows: 50_000, bytes: 50_000_000, timeoutMs: 5_000 };

/** A suite as a training set; databases are opened one at a time and profiled at the first visit. */
export function openTrainingSet(suite: Suite, options: TrainingSetOptions = {}): EngineTrainingSet {
  const byDatabase = new Map<string, EvaluationCase[]>();
  for (const each of suite.cases)
    if (each.expect.kind === 'answered')
      byDatabase.set(each.database, [...(byDatabase.get(each.database) ?? []), each]);
  return {
    name: suite.name,
    databases: [...byDatabase.keys()].sort(),
    size: [...byDatabase.values()].reduce((sum, cases) => sum + cases.length, 0),
    visit: (database, each) => visitDatabase(suite, byDatabase.get(database) ?? [], options, each),
  };
}

async function visitDatabase(
  { policy }: Suite,
  cases: readonly EvaluationCase[],
  { signal = new AbortController().signal, ...places }: TrainingSetOptions,
  each: (item: TrainingItem) => Promise<void> | void,
): Promise<void> {
  const [first] = cases;
  if (first === undefined) return;
  const directory = join(resolvePlaces(places).cacheDirectory, 'derived', first.database);
  const session = await openSession(projectConfig(directory, first.databaseUrl), {
    signal,
    isUntrained: true,
  });
  try {
    for (const asked of cases) {
      signal.throwIfAborted();
      const item = toTrainingItem(asked, session, { policy, signal });
      if (item !== null) await each(item);
    }
  } finally {
    await session.close();
  }
}

/** What is asked and what is due: a case of a suite, or a pair that somebody has checked. */
type AskedPair = Pick<EvaluationCase, 'id' | 'question' | 'hint' | 'now' | 'expect'>;

/** A question as the rules read it; null where they cannot, or its gold query cannot be read. */
function toTrainingItem(
  { id, question: text, hint, now, expect }: AskedPair,
  { knowledge, database }: Session,
  { policy, signal }: { readonly policy: ComparisonPolicy; readonly signal: AbortSignal },
): TrainingItem | null {
  if (expect.kind !== 'answered') return null;
  const question = readQuestion(text, knowledge, new Date(`${now}T12:00:00Z`), hint);
  const gold = queryTraits(expect.sql, knowledge.catalog);
  if (question === null || gold === null) return null;
  const setting = { database, limits: LIMITS, signal };
  const runOnce = once(async () => {
    const found = await runGold(expect, { ...setting, policy });
    return found.ok ? found : null;
  });
  return {
    id,
    question,
    gold,
    hasGold: async () => (await runOnce()) !== null,
    async isRight(sql) {
      const judge = await runOnce();
      if (judge === null) return false;
      const other = await runQuery(sql, setting);
      return other.ok && judge.judge(other.result) === 'equal';
    },
  };
}

/** The verified pairs of a project as questions to learn from; those that the rules cannot read are left out. */
export function openPairSet(session: Session, signal: AbortSignal): TrainingItem[] {
  const now = session.clock().toISOString().slice(0, 10);
  return session.examples.flatMap(({ question, sql }) => {
    const expect = { kind: 'answered', sql, orderMatters: /\border\s+by\b/i.test(sql) } as const;
    return (
      toTrainingItem({ id: question, question, now, expect }, session, { policy: 'answer', signal }) ?? []
    );
  });
}

/** A question with its candidates, as rows and whether they are right. */
export interface JudgedQuestion {
  readonly fold: number;
  readonly rows: readonly Float32Array[];
  readonly right: readonly boolean[];
  /** Right by the rows of this database alone: its query asks something else, so nothing is learned from it. */
  readonly isByChance: readonly boolean[];
}

/** The candidates of a question with what their queries give; null where there are none, or nothing to judge them by. */
export async function judgeQuestion(
  item: TrainingItem,
  models: AskedModels,
  fold: number,
): Promise<JudgedQuestion | null> {
  const candidates = makeCandidates(item.question);
  if (candidates.length === 0 || !(await item.hasGold())) return null;
  const rows = readingFeatures(candidates, item.question, readAsked(item.question, models));
  const right: boolean[] = [];
  for (const { sql } of candidates) right.push(await item.isRight(sql));
  const isByChance = candidates.map(
    ({ traits, draft }, at) => right[at] === true && draft.revisions.length > 0 && differs(traits, item.gold),
  );
  return { fold, rows, right, isByChance };
}

/** A query of other values than the gold query, though its rows are equal. */
function differs(traits: QueryTraits, gold: QueryTraits): boolean {
  return valuesOf(traits) !== valuesOf(gold);
}

function valuesOf({ literals }: QueryTraits): string {
  const texts = literals.filter(({ operator }) => operator !== 'limit').map(({ text }) => text);
  return JSON.stringify([...new Set(texts)].sort());
}

/** Questions with many right candidates, and those with none, weigh less. */
export function addRows(rows: SampledRows, { fold, rows: own, right, isByChance }: JudgedQuestion): void {
  const count = right.filter((each, at) => each && isByChance[at] === false).length;
  const weight = count === 0 ? 0.5 : 1;
  for (const [at, row] of own.entries()) {
    if (isByChance[at] === true) continue;
    const isRight = right[at] === true;
    rows.add(row, isRight, { fold, weight: isRight ? 2 / Math.sqrt(count) : 0.5 * weight });
  }
}

/** SQL that the grounded engine writes for the questions of Spider train: real errors of a real writer, judged by rows. */
import { connect, type Database, type QueryLimits } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { readQuery } from '../../../faults/reading/index.ts';
import { type EvaluationCase, readSuite, type SuitePlaces } from '../../corpus/index.ts';
import { type AskCase, compareResults, openSuiteSession } from '../../evaluation/index.ts';
import { selectCases } from '../../evaluation/runs/run-file.ts';
import { type LinkSet, readLinkSet } from '../../linking/index.ts';
import type { TrainingPair } from './make-training-pairs.ts';

export interface EnginePairOptions extends SuitePlaces {
  readonly dataDirectory: string;
  /** Questions, evenly spread over the set. */
  readonly limit: number;
  /** Milliseconds after which no further question is asked. */
  readonly stopAfterMs: number;
  /** Milliseconds of a clock that only runs forward: `() => performance.now()`. */
  readonly now: () => number;
  readonly only?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EngineProgress) => void;
}

export interface EngineProgress {
  readonly asked: number;
  readonly total: number;
  readonly pairs: number;
  /** Not answered, or without a result to compare: no pair. */
  readonly setAside: number;
}

const LIMITS: QueryLimits = { rows: 50_000, bytes: 20_000_000, timeoutMs: 10_000 };

/**
 * One pair for each question that the engine answers with SQL; the databases of Spider train have rows. Nothing is kept
 * on disk but the derived files of the databases, as for an evaluation. Throws `eval.data-missing`.
 */
export async function* makeEnginePairs(options: EnginePairOptions): AsyncGenerator<TrainingPair> {
  const { only, limit, stopAfterMs, now, onProgress, dataDirectory } = options;
  const suite = await readSuite('spider-train', { dataDirectory });
  const set = await readLinkSet('spider-train', {
    dataDirectory: options.dataDirectory,
    ...(only && { only }),
  });
  const known = suite.cases.filter(({ database }) => set.databases.has(database));
  const cases = selectCases(known, { limit });
  const { checkoutDirectory, cacheDirectory } = options;
  const session = openSuiteSession(suite, {
    dataDirectory,
    ...(checkoutDirectory && { checkoutDirectory }),
    ...(cacheDirectory && { cacheDirectory }),
  });
  const signal = options.signal ?? new AbortController().signal;
  const until = now() + stopAfterMs;
  let open: { readonly url: string; readonly database: Database } | undefined;
  let [asked, pairs] = [0, 0];
  try {
    for (const each of cases) {
      signal.throwIfAborted();
      if (now() > until) break;
      if (open?.url !== each.databaseUrl) {
        await open?.database.close();
        open = { url: each.databaseUrl, database: await connect(each.databaseUrl) };
      }
      const pair = await makePair(each, { ask: session.ask, database: open.database, set, signal });
      asked += 1;
      if (pair !== undefined) pairs += 1;
      onProgress?.({ asked, total: cases.length, pairs, setAside: asked - pairs });
      if (pair !== undefined) yield pair;
    }
  } finally {
    await open?.database.close();
    await session.close();
  }
}

interface Making {
  readonly ask: AskCase;
  readonly database: Database;
  readonly set: LinkSet;
  readonly signal: AbortSignal;
}

async function makePair(each: EvaluationCase, making: Making): Promise<TrainingPair | undefined> {
  const { set, signal } = making;
  const catalog = set.databases.get(each.database)?.catalog;
  if (catalog === undefined || each.expect.kind !== 'answered') return;
  const gold = readQuery(each.expect.sql, catalog.dialect, catalog);
  const sql = await writtenSql(each, making);
  const generated = sql === undefined ? undefined : readQuery(sql, catalog.dialect, catalog);
  if (sql === undefined || generated?.ok !== true || !gold.ok) return;
  const right = await hasSameRows(each.expect, sql, making);
  signal.throwIfAborted();
  if (right === undefined) return;
  return {
    questionId: `spider-train ${each.id}`,
    database: each.database,
    catalog,
    question: each.question,
    hint: '',
    gold: gold.query,
    generated: generated.query,
    right,
    edits: [],
    weight: 1,
  };
}

async function writtenSql(each: EvaluationCase, { ask, signal }: Making): Promise<string | undefined> {
  const { id, database, databaseUrl, question, now } = each;
  const answer = await orSetAside(() => ask({ id, database, databaseUrl, question, now }, signal), signal);
  return answer?.kind === 'answered' ? answer.sql : undefined;
}

/** Undefined where a result is cut or fails: nothing is known then. */
async function hasSameRows(
  { sql, orderMatters }: Extract<EvaluationCase['expect'], { kind: 'answered' }>,
  written: string,
  { database, signal }: Making,
): Promise<boolean | undefined> {
  const due = await orSetAside(() => database.query(sql, LIMITS, signal), signal);
  if (due === undefined || due.truncatedBy !== null) return;
  const got = await orSetAside(() => database.query(written, LIMITS, signal), signal);
  if (got === undefined || got.truncatedBy !== null) return;
  const verdict = compareResults(due, got, { policy: 'spider', orderMatters });
  return verdict === 'undecided' ? undefined : verdict === 'equal';
}

/** What fails as engines and questions fail is set aside and counted by the caller; a bug is thrown. */
async function orSetAside<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CandorError) return undefined;
    throw error;
  }
}

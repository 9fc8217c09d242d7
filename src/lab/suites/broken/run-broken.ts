/** Mends broken queries of several engines, and judges what comes. */
import { z } from 'zod';
import { type Fix, fixQuery } from '../../../answering/index.ts';
import { mendWithModel } from '../../../answering/review/index.ts';
import type { ModelSettings } from '../../../config/index.ts';
import { CostCounter } from '../../../model/index.ts';
import { DATABASE_NAME } from '../../corpus/case-databases.ts';
import {
  CASE_ENGINES,
  type CaseEngine,
  type EngineServers,
  findEngineDatabase,
} from '../../corpus/engine-databases.ts';
import type { SuitePlaces } from '../../corpus/index.ts';
import { readCaseLines } from '../../corpus/read-case-lines.ts';
import { CaseSessions, countedSession } from '../../evaluation/case-sessions.ts';
import { type AnyGold, runAnyGold } from '../../evaluation/comparators/gold.ts';
import {
  GOLD_LIMITS,
  type QuerySetting,
  runQuery,
  toFailed,
} from '../../evaluation/comparators/run-query.ts';
import { RUN_RECORD, type RunAuthor } from '../../evaluation/runs/run-record.ts';
import { type RunOptions, type RunReport, runRecorded } from '../../evaluation/runs/run-recorded.ts';

export interface RunBrokenOptions extends SuitePlaces, Omit<RunOptions, 'model' | 'mode'> {
  readonly file: string;
  /** Absent: rules alone. */
  readonly model?: ModelSettings;
  /** Where databases may be made; cases of an engine without one are left out. */
  readonly servers: EngineServers;
}

export interface BrokenReport extends RunReport<BrokenRecord> {
  /** Cases that were left out, since their engine has no server. */
  readonly leftOut: Readonly<Partial<Record<CaseEngine, number>>>;
}

/** Throws `eval.case-invalid` and `eval.data-missing` before anything is mended. */
export async function runBroken(options: RunBrokenOptions): Promise<BrokenReport> {
  const { model, file, servers } = options;
  const all = await readBrokenCases(file);
  const hasServer = ({ engine }: BrokenCase): boolean =>
    (engine !== 'postgres' && engine !== 'mariadb') || servers[engine] !== undefined;
  const leftOut: Partial<Record<CaseEngine, number>> = {};
  for (const { engine } of all.filter((one) => !hasServer(one))) leftOut[engine] = (leftOut[engine] ?? 0) + 1;
  const sessions = new CaseSessions(options);
  const judge = async (asked: BrokenCase, author: RunAuthor, signal: AbortSignal): Promise<BrokenRecord> => {
    const { id, database, engine, query, error, intent, gold, note } = asked;
    const base = { suite: author.suite, model: author.model, id, database, engine, query };
    const mended = await mendOne(asked, { sessions, servers, options }, signal);
    return { ...base, engineError: error, intent, gold, note, ...mended };
  };
  try {
    const run = { suite: 'broken', cases: all.filter(hasServer), schema: BROKEN_RECORD, judge };
    return { ...(await runRecorded(run, { ...options, model: model?.name })), leftOut };
  } finally {
    await sessions.close();
  }
}

async function mendOne(
  { database: name, engine, query, error: engineError, gold }: BrokenCase,
  {
    sessions,
    servers,
    options,
  }: {
    readonly sessions: CaseSessions;
    readonly servers: EngineServers;
    readonly options: RunBrokenOptions;
  },
  signal: AbortSignal,
): Promise<Pick<BrokenRecord, 'verdict' | 'mended' | 'said' | 'use' | 'error'>> {
  const { session, database } = await sessions.open(`${name} ${engine}`, () =>
    findEngineDatabase(name, engine, { ...options, servers }),
  );
  const counter = new CostCounter();
  const counted = countedSession(session, counter);
  const useOf = () => (session.models === undefined ? undefined : counter.use);
  try {
    const fix = await fixQuery(query, counted, { engineError, mend: mendWithModel(counted, signal), signal });
    const judged = await judgeFix(fix, gold, { database, limits: GOLD_LIMITS, signal });
    return { ...judged, mended: fix.repaired, said: saidBy(fix), use: useOf() };
  } catch (failure) {
    signal.throwIfAborted();
    return { verdict: 'error', use: useOf(), error: toFailed(failure).error };
  }
}

function saidBy({ problems, changes, offers = [], next = '' }: Fix): string {
  const lines = [
    ...problems.map(({ text }) => text),
    ...changes.map(({ because }) => because),
    ...offers.map(({ means }) => means),
    next,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

type Judged = Pick<BrokenRecord, 'verdict' | 'error'>;

/** Whether a query was mended as its writer would have it. */
export async function judgeFix(
  fix: Fix,
  gold: readonly string[] | null,
  setting: QuerySetting,
): Promise<Judged> {
  if (gold === null) return { verdict: fix.ok ? 'forced' : 'right' };
  const due = await runAnyGold(gold, setting);
  if (!due.ok) return { verdict: 'gold-failed', error: due.error };
  if (await hasRows(fix.repaired ?? fix.sql, due, setting)) return { verdict: 'right' };
  for (const { sql } of fix.offers ?? []) if (await hasRows(sql, due, setting)) return { verdict: 'offered' };
  return { verdict: fix.ok ? 'wrong' : 'told' };
}

async function hasRows(sql: string, due: AnyGold, setting: QuerySetting): Promise<boolean> {
  const came = await runQuery(sql, setting);
  return came.ok && due.isRight(came.result);
}

// Queries that an engine refuses, or that run and are wrong, with what the engine said.

const BROKEN_CASE = z.strictObject({
  id: z.string(),
  /** `northwind` on every engine; a file beside the cases is of its own engine. */
  database: DATABASE_NAME,
  engine: z.enum(CASE_ENGINES),
  query: z.string().min(1),
  /** The engine's own words. */
  error: z.string().min(1),
  /** What it was to compute; whoever mends it is not told. */
  intent: z.string(),
  /** Queries; the rows of any are right. Null: it cannot be mended, which is to be told. */
  gold: z.array(z.string()).min(1).nullable(),
  note: z.string().optional(),
});

type BrokenCase = z.infer<typeof BROKEN_CASE>;

/** Throws `eval.case-invalid` with file and line. */
export function readBrokenCases(file: string): Promise<readonly BrokenCase[]> {
  return readCaseLines(file, BROKEN_CASE);
}

// One broken query as it was mended and judged.

/**
 * - `right`: mended, with the rows of the gold; where none is due, that an error is left was told.
 * - `offered`: not mended, and one of the queries that are offered has the rows of the gold.
 * - `told`: not mended, and that an error is left was told. `wrong`: said to be good, with other rows or none.
 * - `forced`: said to be mended where nothing can mend it.
 * - `error`: nothing came. `gold-failed`: the case itself is broken.
 */
export const BROKEN_VERDICTS = [
  'right',
  'offered',
  'told',
  'wrong',
  'forced',
  'error',
  'gold-failed',
] as const;

const BROKEN_RECORD = RUN_RECORD.extend({
  database: z.string(),
  engine: z.enum(CASE_ENGINES),
  query: z.string(),
  engineError: z.string(),
  intent: z.string(),
  gold: z.array(z.string()).nullable(),
  verdict: z.enum(BROKEN_VERDICTS),
  /** The query that stands in its place. */
  mended: z.string().optional(),
  /** What was said: the problems, the changes, what to do next. */
  said: z.string().optional(),
  note: z.string().optional(),
});

export type BrokenRecord = z.infer<typeof BROKEN_RECORD>;

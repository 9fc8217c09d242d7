/** Asks questions that have several readings, many at a time, and judges which of them comes. */
import { z } from 'zod';
import type { Answer, Answered } from '../../../answer.ts';
import { ask } from '../../../answering/index.ts';
import type { ModelSettings } from '../../../config/index.ts';
import type { AnswerMode } from '../../../generation/index.ts';
import { DATABASE_NAME } from '../../corpus/case-databases.ts';
import type { SuitePlaces } from '../../corpus/index.ts';
import { readCaseLines } from '../../corpus/read-case-lines.ts';
import { CaseSessions } from '../../evaluation/case-sessions.ts';
import { type AnyGold, runAnyGold } from '../../evaluation/comparators/gold.ts';
import {
  type Failed,
  GOLD_LIMITS,
  type QuerySetting,
  runQuery,
  toFailed,
} from '../../evaluation/comparators/run-query.ts';
import { RUN_RECORD, type RunAuthor } from '../../evaluation/runs/run-record.ts';
import { type RunOptions, type RunReport, runRecorded } from '../../evaluation/runs/run-recorded.ts';

export interface RunReadingsOptions extends SuitePlaces, Omit<RunOptions, 'model' | 'mode'> {
  readonly file: string;
  /** Absent: the built-in engine. */
  readonly model?: ModelSettings;
  readonly mode?: AnswerMode;
}

export type ReadingsReport = RunReport<ReadingsRecord>;

/** Throws `eval.case-invalid` and `eval.data-missing` before anything is asked. */
export async function runReadingsSuite(options: RunReadingsOptions): Promise<ReadingsReport> {
  const { model, mode } = options;
  const cases = await readReadingsCases(options.file);
  const sessions = new CaseSessions(options);
  const judge = async (asked: ReadingsCase, author: RunAuthor, signal: AbortSignal) => {
    const { id, database, question, kind, readings, meant } = asked;
    const { suite, model: name, mode: taken } = author;
    const base = { suite, model: name, mode: taken, id, database, question, kind };
    const judged = await askOne(asked, sessions, { mode, signal });
    return { ...base, meant: readings[meant]?.meaning ?? '', ...judged };
  };
  try {
    const run = { suite: 'readings', cases, schema: READINGS_RECORD, judge };
    return await runRecorded(run, { ...options, model: model?.name });
  } finally {
    await sessions.close();
  }
}

async function askOne(
  asked: ReadingsCase,
  sessions: CaseSessions,
  { mode, signal }: { readonly mode: AnswerMode | undefined; readonly signal: AbortSignal },
): Promise<JudgedReadings & Pick<ReadingsRecord, 'use'>> {
  const { session, database, now } = await sessions.open(asked.database);
  const setting = { database, limits: GOLD_LIMITS, signal };
  const golds = await runReadings(asked, setting);
  if ('ok' in golds) return { verdict: 'gold-failed', error: golds.error };
  try {
    const asking = { now, mode, signal, record: false, related: false };
    const answer = await ask(asked.question, session, asking);
    const judged = await judgeReadings(answer, { golds, meant: asked.meant }, setting);
    return { ...judged, use: answer.model };
  } catch (error) {
    signal.throwIfAborted();
    return { verdict: 'error', error: toFailed(error).error };
  }
}

/** Which of the readings an answer has, and which it lets a person choose. */
type JudgedReadings = Pick<
  ReadingsRecord,
  'verdict' | 'outcome' | 'sql' | 'risk' | 'said' | 'readings' | 'offered' | 'error'
>;

export type ReadingGolds = readonly AnyGold[];

/** The rows of every reading; fails where a reading has none. */
export async function runReadings(
  { readings }: Pick<ReadingsCase, 'readings'>,
  setting: QuerySetting,
): Promise<ReadingGolds | Failed> {
  const golds: AnyGold[] = [];
  for (const { sql, variants = [] } of readings) {
    const gold = await runAnyGold([sql, ...variants], setting);
    if (!gold.ok) return gold;
    golds.push(gold);
  }
  return golds;
}

export async function judgeReadings(
  answer: Answer,
  { golds, meant }: { readonly golds: ReadingGolds; readonly meant: number },
  setting: QuerySetting,
): Promise<JudgedReadings> {
  const outcome = answer.kind;
  const place = (sql: string | undefined) => placesOf(sql, golds, setting);
  if (answer.kind === 'reject') return { verdict: 'declined', outcome, said: answer.message };
  if (answer.kind === 'abstain') return { verdict: 'declined', outcome, said: answer.reason };
  const choices = answer.kind === 'answered' ? choicesOf(answer) : answer.options;
  const offered: NonNullable<ReadingsRecord['offered']> = [];
  for (const { label, sql } of choices) offered.push({ label, sql, readings: await place(sql) });
  const isOffered = offered.some(({ readings }) => readings.includes(meant));
  if (answer.kind !== 'answered')
    return { verdict: isOffered ? 'settles' : 'unsettled', outcome, said: answer.ask, offered };
  const readings = await place(answer.sql);
  const otherwise = isOffered ? 'choice' : 'wrong';
  const verdict = readings.includes(meant) ? 'right' : otherwise;
  return { verdict, outcome, sql: answer.sql, risk: answer.risk?.queryRisk, readings, offered };
}

/** What a person may take instead: of each assumption, and whole other readings. */
function choicesOf({ assumptions, alternatives }: Answered) {
  const ofAssumptions = assumptions.flatMap((assumption) => assumption.alternatives ?? []);
  return [...ofAssumptions, ...alternatives];
}

async function placesOf(
  sql: string | undefined,
  golds: ReadingGolds,
  setting: QuerySetting,
): Promise<number[]> {
  if (sql === undefined) return [];
  const ran = await runQuery(sql, setting);
  if (!ran.ok) return [];
  return golds.flatMap((gold, at) => (gold.isRight(ran.result) ? [at] : []));
}

// Questions that leave something open, with the readings they have, and questions that leave nothing open.

const READING = z.strictObject({
  meaning: z.string(),
  sql: z.string(),
  /** Other queries of the same reading: more columns, names in place of keys. */
  variants: z.array(z.string()).optional(),
  /** How many of those who ask mean it so, in [0, 1]. */
  likely: z.number().min(0).max(1),
});

const READINGS_CASE = z
  .strictObject({
    id: z.string(),
    database: DATABASE_NAME,
    question: z.string().min(1),
    /** `clear`: nobody needs to be asked back. */
    kind: z.enum(['ambiguous', 'clear']),
    readings: z.array(READING).min(1),
    /** Place of the reading that was meant by who asked, from 0. */
    meant: z.int().min(0),
  })
  .refine(({ readings, meant }) => meant < readings.length, { message: 'meant is the place of a reading' })
  .refine(({ readings, kind }) => kind === 'clear' || readings.length > 1, {
    message: 'an ambiguous question has two readings at least',
  });

type ReadingsCase = z.infer<typeof READINGS_CASE>;

/** Throws `eval.case-invalid` with file and line. */
export function readReadingsCases(file: string): Promise<readonly ReadingsCase[]> {
  return readCaseLines(file, READINGS_CASE);
}

// One question with its readings, as it was asked and judged.

/**
 * - `right`: the reading that was meant. `choice`: another one, and a choice of the answer is the one that was meant. `wrong`: neither.
 * - `settles`, `unsettled`: asked back, with the reading that was meant among the options, or without.
 * - `declined`: refused or abstained. `error`: no outcome. `gold-failed`: the case itself is broken.
 */
export const READINGS_VERDICTS = [
  'right',
  'choice',
  'wrong',
  'settles',
  'unsettled',
  'declined',
  'error',
  'gold-failed',
] as const;

const OFFERED = z.object({
  label: z.string(),
  sql: z.string().optional(),
  /** Places of the readings whose rows it has. */
  readings: z.array(z.number()),
});

const READINGS_RECORD = RUN_RECORD.extend({
  database: z.string(),
  question: z.string(),
  kind: z.enum(['ambiguous', 'clear']),
  meant: z.string(),
  verdict: z.enum(READINGS_VERDICTS),
  outcome: z.string().optional(),
  sql: z.string().optional(),
  /** Of an answer: that it is wrong. */
  risk: z.number().optional(),
  said: z.string().optional(),
  /** Places of the readings whose rows the answer has. */
  readings: z.array(z.number()).optional(),
  /** What may be taken instead of what was answered, or the options of a question back. */
  offered: z.array(OFFERED).optional(),
});

export type ReadingsRecord = z.infer<typeof READINGS_RECORD>;

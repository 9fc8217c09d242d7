import type { Answer } from '../../answer.ts';
import { CandorError } from '../../errors.ts';
import type { AnswerMode } from '../../generation/index.ts';
import { type DecisionRecord, type Session, toRecord } from '../../session/index.ts';
import type { Trace } from '../../tracing/index.ts';

export interface AnswerCircumstances {
  /** The present the question was asked in. */
  readonly now: Date;
  /** The clock's time, which `now` need not be. */
  readonly at: Date;
  readonly stood: {
    readonly links: readonly string[];
    readonly targetRisk: number | undefined;
    readonly hint: string | undefined;
    readonly after: readonly string[] | undefined;
    readonly mode: AnswerMode | undefined;
    readonly assume: Readonly<Record<string, string>> | undefined;
    readonly tables: readonly string[] | undefined;
    readonly rounds: number;
  };
  readonly trace: Trace;
}

/** Leaves the record behind that `candor replay` runs again. */
export async function recordAnswer(
  answer: Answer,
  session: Session,
  { now, at, stood, trace }: AnswerCircumstances,
): Promise<void> {
  const { links, targetRisk, hint, after = [], mode, assume, tables, rounds } = stood;
  const record = toRecord(answer, {
    now,
    at,
    database: session.database.url,
    catalogFingerprint: session.catalog.fingerprint,
    semanticsFingerprint: session.semanticsFingerprint,
    links,
    ...(targetRisk !== undefined && { targetRisk }),
    ...(hint !== undefined && { hint }),
    ...(after.length > 0 && { after }),
    ...(mode !== undefined && { mode }),
    ...(assume !== undefined && { assume }),
    ...(tables !== undefined && { tables }),
    ...(rounds > 0 && { rounds }),
    stages: trace.events,
    ...(session.reader !== undefined && { reader: session.reader }),
  });
  await session.records.write(record);
}

/** A record of whom the session is for; that of another is as if it were not there. Throws `record.*`. */
export async function readOwnRecord(
  id: string,
  { records, reader }: Pick<Session, 'records' | 'reader'>,
): Promise<DecisionRecord> {
  const record = await records.read(id);
  if (reader === undefined || record.reader === reader) return record;
  throw new CandorError('record.not-found', `There is no record “${id}”.`);
}

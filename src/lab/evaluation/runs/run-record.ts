/** What every line of a run's file has, whatever was asked. */

import { readFile, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError, type ErrorCode, isErrorCode, stageOf } from '../../../errors.ts';

/** What a case took of a language model. */
const CALL_USE = z.object({
  calls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number().optional(),
  cost: z.number().optional(),
});

export const RUN_RECORD = z.object({
  suite: z.string(),
  id: z.string(),
  /** The language model by the name it was given; absent: the built-in engine was asked. */
  model: z.string().optional(),
  /** Absent: the mode that a question is asked in where nobody says. */
  mode: z.string().optional(),
  /** `cost` in US dollars, absent where nobody says. */
  use: CALL_USE.optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type RunRecord = z.infer<typeof RUN_RECORD>;

/** Whose run it is; two runs that differ in it are two runs. */
export interface RunAuthor extends Pick<RunRecord, 'suite' | 'model' | 'mode'> {
  readonly arm?: string;
}

/**
 * Reads the records of a run that is to go on; a torn last line is also removed from the file. Cases whose model could not be asked are
 * not among them: they are asked again.
 */
export async function reopenRecords<Kept extends RunRecord & RunAuthor>(
  path: string,
  schema: z.ZodType<Kept>,
  author: RunAuthor,
): Promise<Kept[]> {
  const records = await reopenRecordLines(path, schema, (record) =>
    authorText(record) === authorText(author)
      ? undefined
      : `is a run of ${authorText(record)}, not of ${authorText(author)}`,
  );
  return lastOfEach(records).filter(({ error }) => !isUnasked(error));
}

/** The model replied, and its reply is no good: that is a result like another. */
const REPLY_FAULTS: readonly ErrorCode[] = [
  'model.bad-reply',
  'model.invalid-reply',
  'model.declined',
  'model.reply-cut',
  'model.only-thoughts',
  'model.context-full',
  'model.budget-spent',
];

/** Whether nobody could be asked: the model was not there, or a recording does not hold the prompt. */
export function isUnasked(error: RunRecord['error']): boolean {
  const { code = '' } = error ?? {};
  return isErrorCode(code) && stageOf(code) === 'model' && !REPLY_FAULTS.includes(code);
}

function authorText({ suite, model, arm = 'candor', mode }: RunAuthor): string {
  const said = [suite, model, arm === 'plain' ? '(plain)' : undefined, mode && `(${mode})`];
  return said.filter((part) => part !== undefined).join(' ');
}

export function lastOfEach<Kept extends Pick<RunRecord, 'id'>>(records: readonly Kept[]): Kept[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

// Files of runs: one JSON record a line, written as each case ends, so that a run can go on where it stopped.

/** The records of a file. A last line that was cut off by a crash is left out. Throws `eval.run-invalid`. */
export async function readRecordLines<T>(path: string, record: z.ZodType<T>): Promise<T[]> {
  return parseRecords(await readRun(path), path, record).records;
}

/**
 * The records of a run that is to go on; a torn last line is also removed from the file. `faultOf` says why a record is
 * of another run; the message is put behind the path.
 */
export async function reopenRecordLines<T>(
  path: string,
  record: z.ZodType<T>,
  faultOf: (record: T) => string | undefined,
): Promise<T[]> {
  const text = await readRun(path);
  const { records, completeText } = parseRecords(text, path, record);
  const fault = records.map(faultOf).find((each) => each !== undefined);
  if (fault !== undefined) throw new CandorError('eval.run-invalid', `${path} ${fault}`);
  if (records.length === 0 && text.trim() !== '')
    throw new CandorError('eval.run-invalid', `${path} holds no record of a run`);
  if (completeText !== text) await truncate(path, Buffer.byteLength(completeText));
  return records;
}

async function readRun(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CandorError('eval.run-invalid', `the run ${path} cannot be read`, { cause });
  }
}

function parseRecords<T>(
  text: string,
  path: string,
  record: z.ZodType<T>,
): { records: T[]; completeText: string } {
  const completeText = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = completeText.split('\n').slice(0, -1);
  const records = lines.map((line, i) => {
    const parsed = record.safeParse(parseJson(line));
    if (parsed.success) return parsed.data;
    throw new CandorError('eval.run-invalid', `${path}:${i + 1} is not the record of a case`);
  });
  return { records, completeText };
}

/** Text that is not JSON comes back as undefined, which no record is. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

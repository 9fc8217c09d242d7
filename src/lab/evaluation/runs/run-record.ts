/** What every line of a run's file has, whatever was asked. */
import { z } from 'zod';
import { type ErrorCode, isErrorCode, stageOf } from '../../../errors.ts';
import { reopenRecordLines } from './record-lines.ts';

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

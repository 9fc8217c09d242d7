/** One line of a run's file: what was asked, what came back and how it was judged. */
import { z } from 'zod';
import { readRecordLines, reopenRecordLines } from './record-lines.ts';

const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

/**
 * - `right`: the due outcome; for an answer also the gold result. `wrong`: answered with another result.
 * - `declined`: answerable, not answered. `forced`: answered although it should not be.
 * - `misjudged`: rightly not answered, but by another kind of outcome than the due one.
 * - `error`, `timeout`: no outcome, or SQL that failed or ran too long. `gold-failed`: the case itself is broken.
 * - `not-recorded`: a recording was to answer, and does not hold a prompt of this case: it has changed since.
 */
export const CASE_VERDICTS = [
  'right',
  'wrong',
  'declined',
  'forced',
  'misjudged',
  'error',
  'timeout',
  'gold-failed',
  'not-recorded',
] as const;

const ARMS = ['candor', 'plain'] as const;

/** Who is asked: the product, or with a model that model alone, with everything pasted into one prompt. */
export type Arm = (typeof ARMS)[number];

const CASE_RECORD = z.object({
  suite: z.string(),
  id: z.string(),
  index: z.number(),
  database: z.string(),
  category: z.string().optional(),
  hardness: z.string().optional(),
  tags: z.array(z.string()),
  question: z.string(),
  hint: z.string().optional(),
  expected: z.enum(OUTCOMES),
  /** Absent when asking failed or took too long. */
  outcome: z.enum(OUTCOMES).optional(),
  verdict: z.enum(CASE_VERDICTS),
  correct: z.boolean(),
  sql: z.string().optional(),
  gold: z.string().optional(),
  probability: z.number().optional(),
  /** That the query is wrong, by the model of uncertainty. */
  risk: z.number().optional(),
  /** The same by the SQL alone. */
  sqlRisk: z.number().optional(),
  thinkMs: z.number().optional(),
  /** The language model by the name it was given; absent: the built-in engine was asked. */
  model: z.string().optional(),
  /** Absent: Candor itself. */
  arm: z.enum(ARMS).optional(),
  /** Absent: the mode that a question is asked in where nobody says. */
  mode: z.string().optional(),
  /** What the case took of the model; `cost` in US dollars, absent where nobody says. */
  use: z
    .object({
      calls: z.number(),
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().optional(),
      cost: z.number().optional(),
    })
    .optional(),
  /** Of an answer: whether an assumption, an unused word, a failed check or a risk above one half warns of it. */
  isMarked: z.boolean().optional(),
  /** Place of the first right reading among those with results of their own, from 1; absent: none of the first four. */
  rightReading: z.number().optional(),
  /** Only where a refusal was due with a reason and came: whether it names that reason. */
  rightReason: z.boolean().optional(),
  /** What was said instead of an answer. */
  said: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type CaseRecord = z.infer<typeof CASE_RECORD>;
export type CaseVerdict = CaseRecord['verdict'];

/** Whose run it is; two runs that differ in it are two runs. */
export type RunAuthor = Pick<CaseRecord, 'suite' | 'model' | 'arm' | 'mode'>;

/** Reads the records of a run, the last of each case. A last line that was cut off by a crash is left out. */
export async function readRecords(path: string): Promise<CaseRecord[]> {
  return lastOfEach(await readRecordLines(path, CASE_RECORD));
}

/**
 * Reads the records of a run that is to go on; a torn last line is also removed from the file. Cases whose model could not be asked are
 * not among them: they are asked again.
 */
export async function reopenRecords(path: string, author: RunAuthor): Promise<CaseRecord[]> {
  const records = await reopenRecordLines(path, CASE_RECORD, (record) =>
    authorText(record) === authorText(author)
      ? undefined
      : `is a run of ${authorText(record)}, not of ${authorText(author)}`,
  );
  return lastOfEach(records).filter(({ error }) => !error?.code.startsWith('model.'));
}

function authorText({ suite, model, arm = 'candor', mode }: RunAuthor): string {
  const said = [suite, model, arm === 'plain' ? '(plain)' : undefined, mode && `(${mode})`];
  return said.filter((part) => part !== undefined).join(' ');
}

function lastOfEach(records: readonly CaseRecord[]): CaseRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

/** One line of a run's file: what was asked, what came back and how it was judged. */
import { readFile, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';

const OUTCOMES = ['answered', 'clarify', 'follow_up', 'reject', 'abstain'] as const;

/**
 * - `right`: the due outcome; for an answer also the gold result. `wrong`: answered with another result.
 * - `declined`: answerable, not answered. `forced`: answered although it should not be.
 * - `misjudged`: rightly not answered, but by another kind of outcome than the due one.
 * - `error`, `timeout`: no outcome, or SQL that failed or ran too long. `gold-failed`: the case itself is broken.
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
] as const;

const CASE_RECORD = z.object({
  suite: z.string(),
  id: z.string(),
  index: z.number(),
  database: z.string(),
  category: z.string().optional(),
  hardness: z.string().optional(),
  tags: z.array(z.string()),
  question: z.string(),
  expected: z.enum(OUTCOMES),
  /** Absent when asking failed or took too long. */
  outcome: z.enum(OUTCOMES).optional(),
  verdict: z.enum(CASE_VERDICTS),
  correct: z.boolean(),
  sql: z.string().optional(),
  gold: z.string().optional(),
  probability: z.number().optional(),
  thinkMs: z.number().optional(),
  /** Only where a refusal was due with a reason and came: whether it names that reason. */
  rightReason: z.boolean().optional(),
  /** What was said instead of an answer. */
  said: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type CaseRecord = z.infer<typeof CASE_RECORD>;
export type CaseVerdict = CaseRecord['verdict'];

/** Reads the records of a run. A last line that was cut off by a crash is left out. */
export async function readRecords(path: string): Promise<CaseRecord[]> {
  return parseRecords(await readRun(path), path).records;
}

/** Reads the records of a run that is to go on; a torn last line is also removed from the file. */
export async function reopenRecords(path: string, suite: string): Promise<CaseRecord[]> {
  const text = await readRun(path);
  const { records, completeText } = parseRecords(text, path);
  const foreign = records.find((record) => record.suite !== suite);
  if (foreign !== undefined) {
    throw new CandorError('eval.run-invalid', `${path} is a run of ${foreign.suite}, not of ${suite}`);
  }
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

function parseRecords(text: string, path: string): { records: CaseRecord[]; completeText: string } {
  const completeText = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = completeText.split('\n').slice(0, -1);
  const records = lines.map((line, i) => {
    const parsed = CASE_RECORD.safeParse(parseJson(line));
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

/** Files of runs: one JSON record a line, written as each case ends, so that a run can go on where it stopped. */
import { readFile, truncate } from 'node:fs/promises';
import type { z } from 'zod';
import { CandorError } from '../../../errors.ts';

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

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';

/** The cases of a JSON lines file. `eval.case-invalid` names the line that is wrong, or the file that is not there. */
export async function readCaseLines<Case>(file: string, row: z.ZodType<Case>): Promise<readonly Case[]> {
  const text = await readText(file);
  return text
    .trimEnd()
    .split('\n')
    .map((line, at) => readLine(line, row, `${file}:${at + 1}`));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const because = 'it cannot be read; cases of our own come with a checkout of the project';
    throw new CandorError('eval.case-invalid', `${file}: ${because}`, { cause });
  }
}

function readLine<Case>(line: string, row: z.ZodType<Case>, place: string): Case {
  const parsed = row.safeParse(parseJson(line, place));
  if (parsed.success) return parsed.data;
  throw new CandorError('eval.case-invalid', `${place}: ${z.prettifyError(parsed.error)}`);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CandorError('eval.case-invalid', `${place}: the line is not JSON`, { cause });
  }
}

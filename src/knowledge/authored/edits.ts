/** What people changed in queries: the query shown and the one it should have been, one JSON object a line. */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { changeFile, readTextFiles } from '../files/authored-files.ts';

export const EDITS_FILE = 'edits.jsonl';
/** A file may hold 1 MB; further files are named `edits-2.jsonl`, `edits-2026.jsonl`, … */
const EDIT_FILES = /^edits(?:-[\w-]+)?\.jsonl$/;
const MOST_SQL = 20_000;
const MOST_QUESTION = 2_000;

const EDIT = z.strictObject({
  question: z.string().trim().min(1).max(MOST_QUESTION),
  hint: z.string().max(MOST_QUESTION).optional(),
  /** As it was written. */
  sql: z.string().trim().min(1).max(MOST_SQL),
  /** As it should have been. */
  corrected: z.string().trim().min(1).max(MOST_SQL),
  /** When it was stored, ISO. */
  at: z.iso.datetime(),
  by: z.string().max(200).optional(),
});

/** A query that was wrong for a question, and what a person put in its place. */
export type QueryEdit = z.infer<typeof EDIT>;

export interface StoredEdit extends QueryEdit {
  /** `knowledge/edits.jsonl:12` */
  readonly place: string;
}

/**
 * Adds one line to `edits.jsonl` of the folder, all or nothing; an equal edit (but for its time) is not stored twice.
 * True where it was added. Throws `knowledge.refused` for what could not be read back, `knowledge.invalid` where the
 * file is faulty already or full.
 */
export async function addEdit(directory: string, edit: QueryEdit): Promise<boolean> {
  const checked = EDIT.safeParse(edit);
  if (!checked.success) throw new CandorError('knowledge.refused', `The edit: ${describe(checked.error)}.`);
  const shown = `${basename(directory)}/${EDITS_FILE}`;
  let isAdded = true;
  await changeFile(join(directory, EDITS_FILE), shown, (text) => {
    isAdded = parseEdits(text, shown).every((known) => !isSame(known, checked.data));
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return isAdded ? `${start}${JSON.stringify(checked.data)}\n` : text;
  });
  return isAdded;
}

/** In the order of the files' names and lines; a missing folder has none. Throws `knowledge.invalid`. */
export async function readEdits(directory: string): Promise<readonly StoredEdit[]> {
  const files = await readTextFiles(directory, EDIT_FILES, 'knowledge.invalid');
  return files.flatMap(({ text, shown }) => parseEdits(text, shown));
}

function parseEdits(text: string, shown: string): readonly StoredEdit[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const place = `${shown}:${index + 1}`;
    const parsed = EDIT.safeParse(parseJson(line, place));
    if (parsed.success) return { ...parsed.data, place };
    throw new CandorError('knowledge.invalid', `${place}:1: ${describe(parsed.error)}.`);
  });
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CandorError('knowledge.invalid', `${place}:1: expected one JSON object on a line.`);
  }
}

function describe({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is no edit';
  const path = issue.path.join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

function isSame(one: QueryEdit, other: QueryEdit): boolean {
  const same = (key: 'question' | 'hint' | 'sql' | 'corrected') => (one[key] ?? '') === (other[key] ?? '');
  return same('question') && same('hint') && same('sql') && same('corrected');
}

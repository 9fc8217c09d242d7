/** Reads question files: YAML lists, strictly; every mistake is named with file and line. */
import { readFile } from 'node:fs/promises';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../sql/index.ts';
import { QUESTION_KEYS, QUESTION_ROW, type QuestionRow } from './question-row.ts';

export interface PlacedRow {
  readonly row: QuestionRow;
  /** Where it begins in its file, from 1. */
  readonly line: number;
}

const ROWS = z.array(QUESTION_ROW, { error: 'a question file is a list: each entry starts with `- id:`' });

/** The entries of a file in their order; throws `eval.case-invalid`. */
export async function readQuestionRows(path: string): Promise<readonly PlacedRow[]> {
  return parseQuestionRows(await readFile(path, 'utf8'), path);
}

/** The entries of a text that came from `path`. */
export function parseQuestionRows(text: string, path: string): readonly PlacedRow[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const [syntaxError] = document.errors;
  if (syntaxError) throw invalid(`${path}:${lineAt(syntaxError.pos[0])}: ${syntaxError.message}`);
  // A text of comments alone has no list in it, and no entries either.
  const rows = ROWS.safeParse(document.toJS() ?? []);
  if (!rows.success) throw invalidRows(rows.error.issues, { document, path, lineAt });
  const placed = rows.data.map((row, at) => ({ row, line: lineAt(offsetOf(document, [at])) }));
  const lineOf = new Map<string, number>();
  for (const { row, line } of placed) {
    const first = lineOf.get(row.id);
    if (first !== undefined)
      throw invalid(`${path}:${line}: the id ${row.id} stands twice, first in line ${first}; rename one`);
    lineOf.set(row.id, line);
  }
  return placed;
}

function invalid(message: string): CandorError {
  return new CandorError('eval.case-invalid', message);
}

interface Place {
  readonly document: Document;
  readonly path: string;
  readonly lineAt: (offset: number) => number;
}

type Issue = z.core.$ZodIssue;

/** The message is the first one's; all of them are its data. */
function invalidRows(issues: readonly Issue[], place: Place): CandorError {
  const problems = issues.map((issue) => sayIssue(issue, place));
  const { line, message } = problems[0]!;
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more in this file)`;
  return new CandorError('eval.case-invalid', `${place.path}:${line}: ${message}${more}`, {
    data: { problems },
  });
}

function sayIssue(issue: Issue, { document, lineAt }: Place) {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const line = lineAt(offsetOf(document, issue.path, key));
  const where = issue.path.slice(1).join('.');
  const what = key === undefined ? issue.message : unknownKey(key);
  return { line, column: 1, message: `${where === '' ? '' : `${where}: `}${what}` };
}

function unknownKey(key: string): string {
  const [near] = nearestNames(key, QUESTION_KEYS, 1);
  return `there is no key \`${key}\`${near === undefined ? '; remove it' : ` here; did you mean \`${near}\`?`}`;
}

/** Where the node at a path begins, or its nearest parent; with `key`, that key of it. */
function offsetOf(document: Document, path: readonly PropertyKey[], key?: string): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : null;
    const found = key !== undefined && depth === path.length && pair ? pair.key : node;
    if (typeof found !== 'object' || found === null || !('range' in found)) continue;
    if (Array.isArray(found.range) && typeof found.range[0] === 'number') return found.range[0];
  }
  return 0;
}

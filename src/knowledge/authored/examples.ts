/** Verified pairs: a question with SQL that a person has checked. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { nearestNames } from '../../language/index.ts';
import { onOneLine } from '../../lib/index.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import { readTextFiles } from '../files/authored-files.ts';

/** A question with SQL that a person has checked. */
export interface VerifiedPair {
  readonly question: string;
  /** The statement without its front matter. */
  readonly sql: string;
  readonly verifiedBy?: string;
  /** YYYY-MM-DD */
  readonly verifiedAt?: string;
  /** File name inside the examples folder. */
  readonly file: string;
}

/** Of the files in `examples/`. */
export const EXAMPLE_NAMES = /\.sql$/;

const KEYS = ['question', 'verified_by', 'verified_at'] as const;
const DAY = z.iso.date();

/**
 * Reads every `*.sql` of a folder: a leading block of `-- key: value` lines (`question` is required, then
 * `verified_by` and `verified_at`), and one statement. A missing folder has no pairs.
 */
export async function readExamples(directory: string): Promise<VerifiedPair[]> {
  const files = await readTextFiles(directory, EXAMPLE_NAMES, 'examples.invalid');
  return files.map(({ text, name, shown }) => readExample(text, name, shown));
}

/** Reads the text of one file; `shownFile` is the name that errors show. Throws `examples.invalid`. */
export function readExample(text: string, file: string, shownFile: string): VerifiedPair {
  const lines = text.split(/\r?\n/);
  const matter = new Map<string, string>();
  let line = 0;
  for (; line < lines.length; line += 1) {
    const content = (lines[line] ?? '').trim();
    if (content === '') continue;
    const found = /^--\s*([A-Za-z_]+)\s*:\s*(.*)$/.exec(content);
    if (found === null) break;
    const [, key = '', value = ''] = found;
    if (!KEYS.some((known) => known === key)) throw unknownKey(key, `${shownFile}:${line + 1}:1`);
    if (matter.has(key)) throw invalid(`${shownFile}:${line + 1}:1: \`${key}\` stands twice`);
    if (key === 'verified_at' && !DAY.safeParse(value).success) {
      throw invalid(`${shownFile}:${line + 1}:1: verified_at: expected YYYY-MM-DD, not \`${value}\``);
    }
    matter.set(key, value);
  }
  const question = matter.get('question') ?? '';
  if (question === '')
    throw invalid(`${shownFile}:1:1: expected a first line such as \`-- question: How many orders?\``);
  const sql = lines.slice(line).join('\n').trim().replace(/;$/, '').trimEnd();
  if (sql === '') throw invalid(`${shownFile}:${line + 1}:1: expected a statement below the front matter`);
  const verifiedBy = matter.get('verified_by');
  const verifiedAt = matter.get('verified_at');
  return {
    question,
    sql,
    ...(verifiedBy === undefined ? {} : { verifiedBy }),
    ...(verifiedAt === undefined ? {} : { verifiedAt }),
    file,
  };
}

function unknownKey(key: string, place: string): CandorError {
  const [nearest] = nearestNames(key, KEYS, 1);
  const hint = nearest === undefined ? `known keys: ${KEYS.join(', ')}` : `did you mean \`${nearest}\`?`;
  return invalid(`${place}: unknown key \`${key}\`; ${hint}`);
}

function invalid(message: string): CandorError {
  return new CandorError('examples.invalid', message);
}

export interface NewExample {
  readonly question: string;
  readonly sql: string;
  readonly verifiedBy: string;
  /** YYYY-MM-DD */
  readonly verifiedAt: string;
}

const MOST_CHARACTERS = 60;

/** Writes a verified pair to a file of its own; gives its name, and whether it is new. Throws `knowledge.refused`. */
export async function addExample(
  directory: string,
  { question, sql, verifiedBy, verifiedAt }: NewExample,
): Promise<{ readonly file: string; readonly isNew: boolean }> {
  const [asked, statement] = [onOneLine(question), sql.trim().replace(/;$/, '').trimEnd()];
  if (asked === '' || statement === '' || statement.startsWith('--'))
    throw new CandorError('knowledge.refused', 'A verified pair has a question and a statement.');
  const head = [
    `-- question: ${asked}`,
    `-- verified_by: ${onOneLine(verifiedBy)}`,
    `-- verified_at: ${verifiedAt}`,
  ];
  const text = `${[...head, statement].join('\n')};\n`;
  const taken = new Set(await readdir(directory).catch(() => []));
  const base =
    asked
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, MOST_CHARACTERS) || 'question';
  for (let at = 1; ; at += 1) {
    const file = at === 1 ? `${base}.sql` : `${base}-${at}.sql`;
    if (!taken.has(file)) {
      await writeWhole(join(directory, file), text);
      return { file, isNew: true };
    }
    if (sameButSigned((await readIfThere(join(directory, file))) ?? '', text)) return { file, isNew: false };
  }
}

/** Who said so, and when, is not what is said. */
function sameButSigned(one: string, other: string): boolean {
  const plain = (text: string): string => text.replace(/^-- verified_(?:by|at):.*\n/gm, '').trim();
  return plain(one) === plain(other);
}

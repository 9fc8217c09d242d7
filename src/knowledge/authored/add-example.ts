import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CandorError } from '../../errors.ts';
import { readIfThere, writeWhole } from '../../store/index.ts';
import { onOneLine } from '../../text/index.ts';

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

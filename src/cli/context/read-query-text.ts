import { CandorError } from '../../errors.ts';
import type { Io } from '../terminal/io.ts';

/** SQL that people or programs write is far shorter. */
const MOST_INPUT = 1_000_000;

/** The SQL of an argument, or with `-` of standard input. Throws `sql.not-given`. */
export async function readQueryText(given: string | undefined, io: Io): Promise<string> {
  const text = given === '-' ? await io.readInput?.(MOST_INPUT) : given;
  if (text !== undefined && text.trim() !== '') return text;
  throw new CandorError('sql.not-given', 'Give one query: as an argument, or with - on standard input.');
}

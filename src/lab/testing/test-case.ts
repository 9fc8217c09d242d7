/** A case of `candor test`: what is said, turn by turn, and what is due. Gold SQL lives here and never leaves `lab/`. */
import type { ExpectRow } from '../corpus/question-row.ts';

export interface TestTurn {
  /** What is said: a question, or the answer to the question back before it. */
  readonly says: { readonly kind: 'question' | 'answer'; readonly text: string };
  readonly hint?: string;
  readonly assume?: Readonly<Record<string, string>>;
  /** Earlier questions that are not asked here; the turns before come behind them. */
  readonly after?: readonly string[];
  readonly previous?: { readonly sql: string; readonly error: string };
  /** What is due; absent: any outcome will do, a later turn is judged. */
  readonly expect?: ExpectRow;
}

export interface TestCase {
  /** As it is shown: relative to where the tests are run. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  /** In its file, from 1. */
  readonly line: number;
  readonly id: string;
  readonly tags: readonly string[];
  /** The day that "today" means, YYYY-MM-DD; absent: as the project says. */
  readonly now?: string;
  /** Why it is not asked. */
  readonly skip?: string;
  /** Why it is known to fail. */
  readonly knownFailure?: string;
  readonly turns: readonly TestTurn[];
}

export interface TestFile {
  readonly file: string;
  readonly path: string;
  readonly cases: readonly TestCase[];
}

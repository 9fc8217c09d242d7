/** What `ask` passes from the reading of a question to who answers it. */
import type { Decision } from '../../boundary/index.ts';
import type { AnswerMode } from '../../generation/index.ts';
import type { Hypotheses, Reading } from '../../reasoning/roles/reading.ts';
import type { Session } from '../../session/index.ts';
import type { Trace } from '../../tracing/index.ts';
import type { Outcome } from './build-answer.ts';

/** What a question may mean here, and what follows from it. */
export interface Interpretation {
  readonly decision: Decision;
  /** Which words name what of the schema; none when the words alone decided. */
  readonly links: readonly string[];
  /** The question as the stages read it. */
  readonly text: string;
  readonly chart?: Hypotheses['chart'];
  /** The built-in engine's readings, likeliest first; none when the words alone decided. */
  readonly readings: readonly Reading[];
  /** Words of the question that the built-in engine did not understand. */
  readonly unexplained: readonly string[];
  /** A rule decided it before it was read: no model is asked. */
  readonly isRuled?: true;
}

/** Where and under which terms a question is settled. */
export interface AnswerContext {
  readonly session: Session;
  readonly options: AskOptions;
  readonly trace: Trace;
  /** The present of the question. */
  readonly now: Date;
  /** `performance.now()` when it was asked. */
  readonly start: number;
}

export interface AnswerResult {
  readonly outcome: Outcome;
  readonly thinkMs: number;
}

export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

export interface AskOptions {
  /** What the question does not say itself: definitions, formulas, meanings of codes. */
  readonly hint?: string;
  /** False: stop before running the SQL. */
  readonly execute?: boolean;
  /** How much a language model may spend; `fast` when absent. Without a model there is nothing to choose. */
  readonly mode?: AnswerMode;
  /** Whether a model writes tests before it sees a query, and each candidate is held to them. */
  readonly tests?: boolean;
  /** Earlier questions of the conversation, oldest first; looked at where the question goes on from them. */
  readonly after?: readonly string[];
  /** It goes on from an answer whose assumptions were seen: what is open is said again, and not asked about. */
  readonly goesOn?: boolean;
  /** Ids of the only tables that may be used; absent: all that the session has. */
  readonly tables?: readonly string[];
  /** Defaults that are to be taken otherwise, by the ids and choices of an answer's assumptions: `{ time: 'all' }`. */
  readonly assume?: Readonly<Record<string, string>>;
  /** A question that answers to questions back were merged into: how many, and what was taken for who left one open. */
  readonly merged?: { readonly rounds: number; readonly assumed?: string };
  /** The present; the session's clock when absent. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
  /** SQL that failed for this question, with the engine's words; the question is written anew. */
  readonly previous?: { readonly sql: string; readonly error: string };
  /** False: leave no record behind. */
  readonly record?: boolean;
  /** Share of the answers given that may be wrong, between 0 and 1; null: none is withheld; absent: as the project says. */
  readonly targetRisk?: number | null;
  /** False: notes and verified pairs that fit the question are not looked for. */
  readonly related?: boolean;
  /** False: what other choices of the assumptions would change is not found out. */
  readonly measure?: boolean;
  /** Hears the name of each stage as it begins: `link schema`, `write`, `select`. */
  readonly onProgress?: (stage: string) => void;
}

/** The share of wrong answers that is allowed; undefined: none is withheld for its risk. */
export function targetOf(
  { config }: Pick<Session, 'config'>,
  { targetRisk = config.targetRisk }: Pick<AskOptions, 'targetRisk'>,
): number | undefined {
  return targetRisk ?? undefined;
}

/** What `ask` may do in this session: nothing runs where queries are held, nor in the mode that says so. */
export function heldOptions<Options extends AskOptions>(
  options: Options,
  { holdsQueries }: Session,
): Options {
  const isHeld = holdsQueries === true || options.mode === 'no-execution';
  return isHeld ? { ...options, execute: false } : options;
}

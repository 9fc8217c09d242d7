import type { AnswerMode } from '../../generation/index.ts';
import type { Session } from '../../session/index.ts';

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

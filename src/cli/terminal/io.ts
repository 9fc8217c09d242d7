import type { OutcomeKind } from '../../answer.ts';
import type { Environment } from '../../config/index.ts';
import type { ErrorKind } from '../../errors.ts';

/** Somewhere text goes: a terminal, a pipe, or an array in a test. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Width in characters, when it is known. */
  readonly columns?: number;
}

/** All a command may touch of the process around it; tests pass their own. */
export interface Io {
  /** Data: answers, rows, SQL, JSON. */
  readonly stdout: Output;
  /** For people watching: progress, notices, errors. */
  readonly stderr: Output;
  readonly cwd: string;
  readonly env?: Environment;
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** How the person calls Candor, for commands we print: `candor` or `npx candor`. */
  readonly program: string;
  /** The whole text on standard input, at most so many bytes; absent where a person sits at it. */
  readonly readInput?: (mostBytes: number) => Promise<string>;
  /** The lines of standard input as they come; `prompt` is shown to a person before each. */
  readonly readLines?: (prompt: string) => AsyncIterable<string>;
  /** Lets the person pick one of the options; absent where nobody can be asked. */
  readonly choose?: (question: string, options: readonly string[]) => Promise<number | undefined>;
  /** The command is done, but something that cannot be stopped still works: the process ends once its output is written. */
  readonly endAnyway?: () => void;
}

/** The exit code of every outcome of a question. */
export const OUTCOME_EXIT: Readonly<Record<OutcomeKind, number>> = {
  answered: 0,
  clarify: 10,
  follow_up: 11,
  reject: 12,
  abstain: 13,
};

/** The exit code of every kind of failure. */
export const ERROR_EXIT: Readonly<Record<ErrorKind, number>> = { caller: 2, environment: 3, bug: 70 };

/** `candor test`: cases that did not come out as expected, or a threshold that was missed. */
export const TESTS_FAILED_EXIT = 20;

/** Ctrl-C, as shells number it. */
export const CANCELLED_EXIT = 130;

/** What each exit code means, for `--help` and the reference. */
export const EXIT_CODES: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: 0, meaning: 'answered, or the command did its work' },
  { code: 1, meaning: 'a replay that came out differently' },
  {
    code: ERROR_EXIT.caller,
    meaning: 'wrong use: the command line, candor.yml, the question or the database URL',
  },
  { code: ERROR_EXIT.environment, meaning: 'the environment: file, engine, driver or missing data' },
  {
    code: OUTCOME_EXIT.clarify,
    meaning: 'clarify: the question has several readings; the options are printed',
  },
  {
    code: OUTCOME_EXIT.follow_up,
    meaning: 'follow-up: the metric needs a dimension that the question does not name',
  },
  {
    code: OUTCOME_EXIT.reject,
    meaning: 'reject: the database does not hold this, or the request would change data',
  },
  { code: OUTCOME_EXIT.abstain, meaning: 'abstain: an answer was found but is too likely to be wrong' },
  {
    code: TESTS_FAILED_EXIT,
    meaning: 'test: cases that did not come out as expected, or a threshold that was missed',
  },
  { code: ERROR_EXIT.bug, meaning: 'a bug in Candor' },
  { code: CANCELLED_EXIT, meaning: 'cancelled with Ctrl-C' },
];

import type { Environment } from '../../config/index.ts';

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

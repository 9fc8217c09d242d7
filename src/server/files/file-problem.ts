import { CandorError, type ErrorCode } from '../../errors.ts';
import type { PlacedProblem } from '../../knowledge/files/index.ts';

/** Something that is wrong with a text, where it stands and what to do. */
export interface FileProblem extends PlacedProblem {
  /** A file with errors is not saved; with warnings it is. */
  readonly severity: 'error' | 'warning';
  readonly next: string;
}

/** What readers of files throw for what stands in them. */
const OF_FILES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'semantics.invalid',
  'knowledge.invalid',
  'examples.invalid',
  'eval.case-invalid',
]);

/** What a reader has thrown, as problems of the file that it read; anything else is thrown on. */
export function problemsOfError(error: unknown, shown: string): readonly FileProblem[] {
  // The parser of YAML calls itself for each level.
  if (error instanceof RangeError)
    return [problemAt({ line: 1, column: 1, message: 'nested too deeply; expected a few levels' })];
  if (!(error instanceof CandorError) || !OF_FILES.has(error.code)) throw error;
  const { problems } = error.data;
  if (Array.isArray(problems) && problems.every(isPlaced))
    return problems.map((problem) => problemAt(problem));
  return [problemAt(placeInMessage(error.message, shown))];
}

/** The message says it all; `next` where it does not. */
export function problemAt(
  { line, column, message }: PlacedProblem,
  next = 'Correct it here; nothing is saved before.',
): FileProblem {
  return { severity: 'error', line, column, message, next };
}

function isPlaced(problem: unknown): problem is PlacedProblem {
  return typeof problem === 'object' && problem !== null && 'line' in problem && 'message' in problem;
}

/** `semantics/shop.yml:3:5: unknown key` begins with its place; what does not is about the whole. */
function placeInMessage(message: string, shown: string): PlacedProblem {
  const [, line, column, rest] =
    (message.startsWith(`${shown}:`) &&
      /^:(\d+):(?:(\d+):)? ?([\s\S]*)$/.exec(message.slice(shown.length))) ||
    [];
  if (line === undefined) return { line: 1, column: 1, message };
  return { line: Number(line), column: Number(column ?? 1), message: rest ?? message };
}

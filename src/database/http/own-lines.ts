import { CandorError } from '../../errors.ts';

/**
 * An error of a statement that stood below one line of ours (`EXPLAIN …`), with the lines the user knows: `line 2:8`
 * and `line 2 at position 8` → `line 1:8`, `line 1 at position 8`. Everything else comes back as it is.
 */
export function withOwnLines(error: unknown): unknown {
  if (!(error instanceof CandorError) || error.data.engineCode === undefined) return error;
  const message = error.message.replace(
    /\bline ([1-9]\d*)(?=:| at position)/g,
    (_, line: string) => `line ${Math.max(1, Number(line) - 1)}`,
  );
  const { line } = error.data;
  const data = typeof line === 'number' ? { ...error.data, line: Math.max(1, line - 1) } : error.data;
  return new CandorError(error.code, message, { data, cause: error.cause });
}

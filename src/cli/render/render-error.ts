import { CandorError } from '../../errors.ts';
import { escapeControlKeepingLines } from './escape-control.ts';
import type { Style } from './style.ts';

/** What went wrong, its code and what to do, for people. A bug also shows where it happened. */
export function renderError(error: unknown, style: Style): string {
  const { code, message, next } = describeError(error);
  const stack = code === 'internal.bug' && error instanceof Error && error.stack ? `\n${error.stack}` : '';
  const text = `${style.red('error')} ${style.bold(code)}: ${escapeControlKeepingLines(message)}\n  → ${next}${stack}\n`;
  return text;
}

/** The one wire shape of a failure: `{error: {code, message, next, data}}`. */
export function errorJson(error: unknown): { error: ReturnType<typeof describeError> } {
  return { error: describeError(error) };
}

function describeError(error: unknown) {
  const known =
    error instanceof CandorError
      ? error
      : new CandorError('internal.bug', error instanceof Error ? error.message : String(error));
  return { code: known.code, message: known.message, next: known.next, data: known.data };
}

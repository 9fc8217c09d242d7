import type { CandorError } from '../../errors.ts';
import { escapeControlKeepingLines } from '../../lib/index.ts';
import type { Style } from './layout/text-layout.ts';

/** What went wrong, its code and what to do, for people. A bug also shows where it happened. */
export function renderError(error: CandorError, style: Style): string {
  const { code, message, next } = error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const stack = code === 'internal.bug' && cause.stack ? `\n${cause.stack}` : '';
  return `${style.red('error')} ${style.bold(code)}: ${escapeControlKeepingLines(message)}\n  → ${next}${stack}\n`;
}

/** The one wire shape of a failure: `{error: {code, message, next, data}}`. */
export function errorJson({ code, message, next, data }: CandorError) {
  return { error: { code, message, next, data } };
}

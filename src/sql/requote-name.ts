import type { Dialect } from './dialect.ts';
import { quoteName } from './print-query.ts';

/** Writes a name again that stood in a text without quotes: it stays as it is unless it needs quotes at its new place. */
export function requoteName(written: string, dialect: Dialect): string {
  if (!dialect.reserved.has(written.toLowerCase())) return written;
  const folds = { same: written, lower: written.toLowerCase(), upper: written.toUpperCase() };
  return quoteName(folds[dialect.foldsTo], dialect);
}

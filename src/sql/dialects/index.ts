/** Dialects as data: names, quotes, words, places in a text. */

export type { Cell } from './cell.ts';
export type { DatePart } from './dialect.ts';
export { DIALECTS, ENGINE_NAMES } from './dialects.ts';
export { significantTokens, type Token } from './lex-sql.ts';
export { inQuotes, quoteName, quoteText, withoutQuotes, writeName } from './quoting.ts';
export type { Span } from './span.ts';

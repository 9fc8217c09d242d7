/** How names and texts stand in quotes, in each dialect: nothing else of ours writes quotes around what may hold some. */
import type { DialectName } from './dialect.ts';
import { DIALECTS } from './dialects.ts';

export type Quote = '"' | "'" | '`';

/** In quotes, those inside doubled: `inQuotes('a"b', '"')` → `"a""b"`. */
export function inQuotes(text: string, quote: Quote): string {
  return quote + text.replaceAll(quote, quote + quote) + quote;
}

/** What stands in quotes of any kind, doubled ones made single: `"a""b"` → `a"b`; `[a b]` → `a b`. What has none stays as it is. */
export function withoutQuotes(text: string): string {
  const quote = text.charAt(0);
  if (quote === '[') return text.slice(1, -1);
  if (text.length < 2 || !isQuote(quote) || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
}

function isQuote(character: string): character is Quote {
  return character === '"' || character === "'" || character === '`';
}

/** A name in the dialect's quotes, always: `quoteName('orders', 'mysql')` → `` `orders` ``. */
export function quoteName(name: string, dialect: DialectName): string {
  const { quote, nameEscapes } = DIALECTS[dialect];
  return quote + escapeAll(name, nameEscapes) + quote;
}

/** A name as the engine stores it, in quotes where the dialect needs them: `Order Lines` → `"Order Lines"`. */
export function writeName(name: string, dialect: DialectName): string {
  const { plainName, reserved } = DIALECTS[dialect];
  return plainName.test(name) && !reserved.has(name.toLowerCase()) ? name : quoteName(name, dialect);
}

/** Writes a name again that stood in a text without quotes: it stays as it is unless it needs quotes at its new place. */
export function requoteName(written: string, dialect: DialectName): string {
  const { reserved, foldsTo } = DIALECTS[dialect];
  if (!reserved.has(written.toLowerCase())) return written;
  const folds = { same: written, lower: written.toLowerCase(), upper: written.toUpperCase() };
  return quoteName(folds[foldsTo], dialect);
}

/** A text as a literal: `O'Hara` → `'O''Hara'`. */
export function quoteText(text: string, dialect: DialectName): string {
  return `'${escapeAll(text, DIALECTS[dialect].textEscapes)}'`;
}

function escapeAll(text: string, escapes: readonly (readonly [string, string])[]): string {
  return escapes.reduce((now, [character, written]) => now.replaceAll(character, written), text);
}

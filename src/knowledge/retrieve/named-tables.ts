import type { Table } from '../../catalog/index.ts';
import type { TableIndex } from './table-index.ts';

/** `orders_2024`, `sales.orders`, in quotes or not. */
const IDENTIFIER = /[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*){0,2}/gu;
const QUOTED = /["`“]([^"`”\n]{1,200})["`”]/gu;
const BEFORE = /\btables?\s+(?:(?:named|called)\s+)?["`“']?$/i;
const AFTER = /^["`”']?\s+tables?\b/i;
const MAX_NAMES = 200;

/** Tables that the question names as such. Only of tables in the index: what a reader may not see is not found. */
export function namedTables(question: string, tables: Pick<TableIndex, 'named'>): readonly Table[] {
  return [...new Set(namesIn(question).flatMap((name) => tables.named(name)))];
}

/**
 * What may be names of tables: written as an identifier (`order_items`, `sales.orders`), in quotes, or beside the word
 * table. `orders` in a sentence is a word, which ranking weighs.
 */
export function namesIn(question: string): readonly string[] {
  const names = new Set<string>();
  for (const [, quoted = ''] of question.matchAll(QUOTED)) names.add(quoted.trim());
  for (const { 0: name, index } of question.matchAll(IDENTIFIER)) {
    if (names.size >= MAX_NAMES) break;
    const isIdentifier = /[_.]|\p{L}\p{N}/u.test(name);
    const before = question.slice(Math.max(0, index - 40), index);
    const after = question.slice(index + name.length, index + name.length + 10);
    if (isIdentifier || BEFORE.test(before) || AFTER.test(after)) names.add(name);
  }
  return [...names];
}

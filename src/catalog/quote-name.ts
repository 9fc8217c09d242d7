import { DIALECTS, type DialectName } from '../sql/index.ts';
import type { Table } from './catalog.ts';

/** A name in the dialect's quotes, always: `quoteName('Order Lines', 'mysql')` → `` `Order Lines` ``. */
export function quoteName(name: string, dialect: DialectName): string {
  const { quote } = DIALECTS[dialect];
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

/** How a table is written: `tableName({ name: 'orders', qualifier: ['sales'] }, 'postgres')` → `"sales"."orders"`. */
export function tableName(table: Pick<Table, 'name' | 'qualifier'>, dialect: DialectName): string {
  return [...(table.qualifier ?? []), table.name].map((name) => quoteName(name, dialect)).join('.');
}

/** A text as the dialect writes it: `quoteText("it's", 'postgres')` → `'it''s'`. */
export function quoteText(text: string, dialect: DialectName): string {
  const escaped = DIALECTS[dialect].textEscapes.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return `'${escaped}'`;
}

import { splitName } from '../reasoning/index.ts';

/** A column in words, with its table unless that is empty: `Invoice.BillingCountry` → `invoice billing country`. */
export function namePlace({ table, column }: { readonly table: string; readonly column: string }): string {
  const words = [...splitName(table), ...splitName(column)];
  // "customer customer id" says the same word twice.
  return words.filter((word, at) => word !== words[at - 1]).join(' ');
}

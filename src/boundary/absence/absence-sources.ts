import type { Catalog } from '../../catalog/index.ts';
import type { ValueIndex } from '../../knowledge/index.ts';
import { breakWords } from '../../language/index.ts';
import type { GroundedKnowledge } from '../../reasoning/index.ts';

/** Where words of a question are looked for. */
export interface AbsenceSources {
  readonly knowledge: GroundedKnowledge;
  readonly values: ValueIndex;
}

/** A column as the engine spells it, behind its table: `Customer.Country`. */
export function shownColumn(columnId: string, { tables }: Catalog): string {
  for (const { name, columns } of tables) {
    const column = columns.find(({ id }) => id === columnId);
    if (column !== undefined) return `${name}.${column.name}`;
  }
  return columnId;
}

export function shownTable(tableId: string, { tables }: Catalog): string {
  return tables.find(({ id }) => id === tableId)?.name ?? tableId;
}

/** A name as people say it: `unit_price` → `unit price`. */
export function spoken(name: string): string {
  return breakWords(name)
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** What judging a query has to know of the schema. */
import type { Catalog } from '../../catalog/index.ts';

export interface LabelFacts {
  /**
   * Whether a column holds no NULL: part of a primary key, or declared NOT NULL. Names in lower case, as queries write
   * them; `undefined` where the table has no such column.
   */
  readonly isNeverNull: (table: string, column: string) => boolean | undefined;
}

/** Tables that share a name, in several schemas, must agree on a column. */
export function labelFacts({ tables }: Catalog): LabelFacts {
  const known = new Map<string, Map<string, boolean>>();
  for (const { name, columns, primaryKey } of tables) {
    const key = name.toLowerCase();
    const own = known.get(key) ?? new Map<string, boolean>();
    known.set(key, own);
    for (const column of columns) {
      const isNeverNull = primaryKey.includes(column.id) || !column.isNullable;
      own.set(column.name.toLowerCase(), isNeverNull && (own.get(column.name.toLowerCase()) ?? true));
    }
  }
  return { isNeverNull: (table, column) => known.get(table)?.get(column) };
}

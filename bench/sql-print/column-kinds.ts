/** What a column of a query holds, by the tables of its FROM. */
import type { ValueKind } from '../../src/sql/transpile/translation/value-kind.ts';
import { child, childrenIn, type SqlNode } from '../../src/sql/tree/node.ts';

/** Columns with their kinds, by table, names in lower case. */
export type TableKinds = ReadonlyMap<string, ReadonlyMap<string, ValueKind | undefined>>;

export interface ColumnKinds {
  readonly kindOf: (column: SqlNode) => ValueKind | undefined;
  readonly isText: (column: SqlNode) => boolean;
}

export function columnKinds(tables: TableKinds): ColumnKinds {
  return {
    kindOf: (column) => kindOf(column, tables),
    isText: (column) => ![...tables.values()].some((columns) => columns.has(nameOf(column))),
  };
}

function nameOf(column: SqlNode): string {
  return column.children.at(-1)?.value?.toLowerCase() ?? '';
}

/** The nearest SELECT around it whose tables have the column. */
function kindOf(column: SqlNode, tables: TableKinds): ValueKind | undefined {
  const qualifier = child(column, 'table')?.value?.toLowerCase();
  for (let above = column.parent; above !== undefined; above = above.parent) {
    if (above.type !== 'Select') continue;
    for (const table of tablesOf(above)) {
      const name = child(table, 'this')?.value?.toLowerCase() ?? '';
      const alias = child(table, 'alias');
      const called = (alias && child(alias, 'this')?.value?.toLowerCase()) ?? name;
      const columns = tables.get(name);
      if ((qualifier === undefined || qualifier === called) && columns?.has(nameOf(column))) {
        return columns.get(nameOf(column));
      }
    }
  }
  return undefined;
}

function tablesOf(select: SqlNode): readonly SqlNode[] {
  const relations = [child(select, 'from'), ...childrenIn(select, 'joins')].map(
    (holder) => holder && child(holder, 'this'),
  );
  return relations.filter((relation): relation is SqlNode => relation?.type === 'Table');
}

import type { Asking } from './asking.ts';
import type { ColumnText } from './find-columns.ts';
import { findColumns, settleColumns } from './find-columns.ts';
import type { Found, FoundColumn, FoundTable } from './retrieved.ts';
import type { TableIndex } from './table-index.ts';

/** A name that stands in many of the tables found stands for the best of them. */
const SETTLED_TABLES = 3;

/** Columns for the question, the hint and each keyword. */
export function questionColumns(asking: Asking): Promise<readonly Found<FoundColumn>[]> {
  const { request, sources, settings, keywords, vectors } = asking;
  const { question, hint, scope } = request;
  const { columns } = settings;
  const asked = (text: string, what: string, most: number): ColumnText => {
    const vector = vectors.get(text);
    return { text, what, most, ...(vector && { vector }) };
  };
  const texts = [
    asked(question, 'the question', columns.forQuestion),
    ...(hint ? [asked(hint, 'the hint', columns.forHint)] : []),
    ...keywords
      .slice(0, columns.keywords)
      .map((keyword) => asked(keyword, `\`${keyword}\``, columns.perKeyword)),
  ];
  const nameOf = (id: string): string | undefined => columnName(sources.tables, id);
  return findColumns({ texts, nameOf, ...(scope && { scope }) }, sources.store, settings);
}

/** The same columns, in the tables that were found. */
export function settleInTables(
  columns: readonly Found<FoundColumn>[],
  found: readonly Found<FoundTable>[],
  tables: TableIndex,
): readonly Found<FoundColumn>[] {
  const byName = new Map<string, string[]>();
  for (const { item } of found) {
    for (const { id, name } of tables.table(item.tableId)?.columns ?? []) {
      const known = byName.get(name.toLowerCase());
      if (known === undefined) byName.set(name.toLowerCase(), [id]);
      else if (known.length < SETTLED_TABLES) known.push(id);
    }
  }
  return settleColumns(columns, {
    nameOf: (id) => columnName(tables, id),
    columnsNamed: (name) => byName.get(name) ?? [],
  });
}

function columnName(tables: TableIndex, columnId: string): string | undefined {
  return tables.column(columnId)?.name;
}

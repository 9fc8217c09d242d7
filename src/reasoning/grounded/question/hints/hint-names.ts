/** Names of a hint, looked up in the catalog and among its stored values. */
import type { Column } from '../../../../catalog/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { ColumnNames } from '../mention/definition.ts';

export interface HintNames {
  /** Columns of that name, of one table where it is named; those of the preferred tables first. */
  readonly columns: (name: string, table?: string) => ColumnNames;
  /** Id of the table of that name. */
  readonly table: (name: string) => string | undefined;
  /** Name of a table by its id, as the engine spells it. */
  readonly tableName: (id: string) => string;
  /** The text as the column stores it; undefined where it does not hold it. */
  readonly stored: (column: Column, text: string) => string | number | undefined;
  /** Columns that store the text. */
  readonly holding: (text: string) => readonly Column[];
  /** Columns that a foreign key in this one leads to. */
  readonly referred: (column: Column) => readonly Column[];
}

/** `preferred` are ids of tables that the question or the hint itself names. */
export function hintNames(knowledge: GroundedKnowledge, preferred: ReadonlySet<string>): HintNames {
  const columns = new Map<string, Column[]>();
  const tables = new Map<string, string>();
  for (const table of knowledge.catalog.tables) {
    tables.set(keyOf(table.name), table.id);
    for (const column of table.columns) {
      const key = keyOf(column.name);
      columns.set(key, [...(columns.get(key) ?? []), column]);
    }
  }
  const rank = (column: Column): number => (preferred.has(column.tableId) ? 0 : 1);
  return {
    columns(name, table) {
      const found = columns.get(keyOf(name)) ?? [];
      const own =
        table === undefined ? found : found.filter((column) => column.tableId === tables.get(keyOf(table)));
      return own.toSorted((one, other) => rank(one) - rank(other));
    },
    table: (name) => tables.get(keyOf(name)),
    tableName: (id) => knowledge.graph.table(id).name,
    stored(column, text) {
      for (const written of [text, text.trim()]) {
        const hits = knowledge.lookupValue(written).filter(({ columnId }) => columnId === column.id);
        const exact = hits.find(({ value }) => String(value) === written);
        if (hits.length > 0) return (exact ?? hits[0])?.value;
      }
      return undefined;
    },
    holding: (text) => knowledge.lookupValue(text).map(({ columnId }) => knowledge.graph.column(columnId)),
    referred: (column) =>
      knowledge.graph
        .edges(column.tableId)
        .filter(({ fromColumns, multiplies }) => !multiplies && fromColumns.includes(column.id))
        .flatMap(({ to }) => knowledge.graph.table(to).columns),
  };
}

/** Names are compared by their letters and digits: `first name`, `First_Name`. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

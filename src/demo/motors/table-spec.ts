/** How a demo table is declared and what one of its rows looks like. */
export type DemoValue = string | number | null;
export type DemoColumnType = 'integer' | 'text' | 'date' | 'real';

export interface DemoColumn {
  readonly name: string;
  readonly type: DemoColumnType;
  readonly isNullable: boolean;
  readonly comment?: string;
  /** `table.column` of a declared foreign key. */
  readonly references?: string;
}

export interface DemoTable {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly DemoColumn[];
  readonly primaryKey: string;
  /** Columns that get an index of their own. */
  readonly indexes: readonly string[];
}

/** One row on its way into a table; values stand in the order of the table's columns. */
export interface DemoRow {
  readonly table: string;
  readonly values: readonly DemoValue[];
}

/** Writes demo rows into a new database file. */
export interface DemoWriter {
  add(row: DemoRow): void | Promise<void>;
  /** Makes everything durable and closes the file. */
  finish(): Promise<void>;
  /** Closes without caring for what was written. */
  abandon(): void;
}

/** Engine words for the column types; SQLite keeps dates as ISO text. */
export type TypeNames = Readonly<Record<DemoColumnType, string>>;

/** The CREATE TABLE statement of a demo table. */
export function printCreateTable(table: DemoTable, types: TypeNames): string {
  const columns = table.columns.map(
    (column) =>
      `  ${column.name} ${types[column.type]}${column.name === table.primaryKey ? ' PRIMARY KEY' : ''}${column.isNullable ? '' : ' NOT NULL'}`,
  );
  const keys = table.columns.flatMap((column) => {
    if (column.references === undefined) return [];
    const [toTable, toColumn] = column.references.split('.');
    return [`  FOREIGN KEY (${column.name}) REFERENCES ${toTable} (${toColumn})`];
  });
  return `CREATE TABLE ${table.name} (\n${[...columns, ...keys].join(',\n')}\n)`;
}

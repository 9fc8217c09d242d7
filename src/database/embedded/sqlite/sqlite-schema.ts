/** Reads tables, columns and keys of a SQLite file from its own pragmas. */

import type { Cell } from '../../../sql/dialects/cell.ts';
import { quoteName, quoteText } from '../../../sql/dialects/index.ts';
import type {
  DatabaseSchema,
  SchemaColumn,
  SchemaForeignKey,
  SchemaTable,
} from '../../interface/database.ts';

type ReadRows = (sql: string) => readonly (readonly Cell[])[];

/** Columns that a virtual table hides from `SELECT *`. */
const HIDDEN = 1;

export function readSqliteSchema(read: ReadRows): DatabaseSchema {
  const tables: SchemaTable[] = [];
  // `table_list` tells real tables from views, virtual tables and the shadow tables that those keep their rows in, which are
  // the module's own and no tables to ask about; `sqlite_schema` keeps the order.
  const names = read(`
    SELECT s.name, l.type FROM sqlite_schema AS s
    JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
    WHERE s.type IN ('table', 'view') AND l.type IN ('table', 'view', 'virtual') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY s.rowid`);
  const found = names.map(([name, type]) => {
    const table = readTable(read, String(name), type === 'view' ? 'view' : 'table');
    return { name: String(name), type, table };
  });
  const unread = found.filter(({ type, table }) => type === 'virtual' && table === null);
  const isShadow = shadowTest(unread.map(({ name }) => name));
  for (const { name, type, table } of found) {
    const isPlain = type === 'table' && !isShadow(name);
    if (table !== null) tables.push({ ...table, ...(isPlain && { ownsRows: true }) });
  }
  const foreignKeys = tables
    .filter((table) => table.kind === 'table')
    .flatMap((table) => readForeignKeys(read, table, tables));
  return { tables, foreignKeys };
}

/**
 * Shadow tables are known by their module. Where this SQLite has not the module, they look like any other table: whatever is
 * called after the virtual table, as `docs_content` after `docs`, may be one.
 */
function shadowTest(virtualTables: readonly string[]): (table: string) => boolean {
  const prefixes = virtualTables.map((name) => `${name}_`.toLowerCase());
  return (table) => prefixes.some((prefix) => table.toLowerCase().startsWith(prefix));
}

/** Returns `null` for a view, or a virtual table, that the engine itself cannot read any more. */
function readTable(read: ReadRows, name: string, kind: 'table' | 'view'): SchemaTable | null {
  let rows: readonly (readonly Cell[])[];
  try {
    rows = read(
      `SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(${quoteText(name, 'sqlite')}) ORDER BY cid`,
    );
    if (kind === 'view') read(`SELECT * FROM ${quoteName(name, 'sqlite')} LIMIT 0`);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // A view may rest on anything (GROUP_CONCAT(DISTINCT a, b) of another SQLite): what cannot be read is left out.
    const isFile = /locked|busy|malformed|not a database|corrupt|disk I\/O/i.test(message);
    if (kind === 'view' && !isFile) return null;
    if (/no such (table|column|module|function)|error in view|circularly defined/.test(message)) return null;
    throw error;
  }
  const columns: SchemaColumn[] = [];
  const keys: { name: string; position: number }[] = [];
  for (const [columnName, type, notNull, keyPosition, hidden] of rows) {
    if (hidden === HIDDEN) continue;
    const position = Number(keyPosition);
    columns.push({
      name: String(columnName),
      type: String(type ?? ''),
      isNullable: notNull === 0 && position === 0,
    });
    if (position > 0) keys.push({ name: String(columnName), position });
  }
  if (columns.length === 0) return null;
  const primaryKey = keys.sort((a, b) => a.position - b.position).map((key) => key.name);
  return { name, kind, columns, primaryKey };
}

function readForeignKeys(
  read: ReadRows,
  table: SchemaTable,
  tables: readonly SchemaTable[],
): SchemaForeignKey[] {
  const rows = read(
    `SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(${quoteText(table.name, 'sqlite')}) ORDER BY id DESC, seq`,
  );
  const byId = new Map<Cell, { target: string; from: string[]; to: (string | null)[] }>();
  for (const [id, target, from, to] of rows) {
    const key = byId.get(id ?? null) ?? { target: String(target), from: [], to: [] };
    key.from.push(String(from));
    key.to.push(to === null || to === undefined ? null : String(to));
    byId.set(id ?? null, key);
  }
  const foreignKeys: SchemaForeignKey[] = [];
  for (const key of byId.values()) {
    const target = tables.find((candidate) => isSameName(candidate.name, key.target));
    if (target === undefined) continue;
    // A key without named target columns points at the target's primary key.
    const named = key.to.map((name, index) => name ?? target.primaryKey[index] ?? '');
    const fromColumns = key.from.map((name) => spellColumn(table, name));
    const toColumns = named.map((name) => spellColumn(target, name));
    if (isComplete(fromColumns) && isComplete(toColumns)) {
      foreignKeys.push({ fromTable: table.name, fromColumns, toTable: target.name, toColumns });
    }
  }
  return foreignKeys;
}

/** References to columns that do not exist are dropped with their key: SQLite accepts them, a join cannot. */
function isComplete(names: readonly (string | undefined)[]): names is readonly string[] {
  return names.every((name) => name !== undefined);
}

function spellColumn(table: SchemaTable, name: string): string | undefined {
  return table.columns.find((column) => isSameName(column.name, name))?.name;
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

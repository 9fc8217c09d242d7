/** The Motors demo on a database server: the same rows as in the file, in the server's own types. */
import { generateMotors } from '../../src/demo/motors/generate-motors.ts';
import {
  type DemoTable,
  type DemoValue,
  printCreateTable,
  type TypeNames,
} from '../../src/demo/motors/table-spec.ts';
import { MOTORS_TABLES } from '../../src/demo/motors/tables.ts';

/** Rows in one INSERT. */
const ROWS_AT_ONCE = 1_000;

export interface MotorsTypes extends TypeNames {
  /** False where the engine has no keys: then the tables have none, and links must be inferred. */
  readonly hasKeys: boolean;
  /** Rows come as one text of JSON: Trino plans each value of a VALUES by itself, for a second per thousand rows. */
  readonly takesJson?: boolean;
}

export const POSTGRES_TYPES: MotorsTypes = {
  integer: 'integer',
  text: 'text',
  date: 'date',
  real: 'double precision',
  hasKeys: true,
};
/** A key must have a bounded length in MySQL. */
export const MYSQL_TYPES: MotorsTypes = {
  integer: 'integer',
  text: 'varchar(200)',
  date: 'date',
  real: 'double',
  hasKeys: true,
};
export const TRINO_TYPES: MotorsTypes = {
  integer: 'integer',
  text: 'varchar',
  date: 'date',
  real: 'double',
  hasKeys: false,
  takesJson: true,
};

/** Makes the tables and fills them through `run`, which gets one statement at a time. */
export async function loadMotors(
  run: (sql: string) => Promise<unknown>,
  types: MotorsTypes,
  options: { readonly seed: number; readonly scale: number },
): Promise<void> {
  const rows = new Map(MOTORS_TABLES.map(({ name }) => [name, [] as (readonly DemoValue[])[]]));
  for (const { table, values } of generateMotors(options)) rows.get(table)?.push(values);
  for (const table of MOTORS_TABLES) {
    await run(types.hasKeys ? printCreateTable(table, types) : printPlainTable(table, types));
    const all = rows.get(table.name) ?? [];
    for (let start = 0; start < all.length; start += ROWS_AT_ONCE) {
      const part = all.slice(start, start + ROWS_AT_ONCE);
      const rows = types.takesJson === true ? printJson(part, table, types) : printValues(part, table);
      await run(`INSERT INTO ${table.name} ${rows}`);
    }
  }
}

function printPlainTable(table: DemoTable, types: TypeNames): string {
  return `CREATE TABLE ${table.name} (${table.columns.map(({ name, type }) => `${name} ${types[type]}`).join(', ')})`;
}

function printValues(rows: readonly (readonly DemoValue[])[], table: DemoTable): string {
  return `VALUES ${rows.map((row) => `(${printRow(row, table)})`).join(', ')}`;
}

/** JSON knows no dates: they are texts in it. */
function printJson(
  rows: readonly (readonly DemoValue[])[],
  { columns }: DemoTable,
  types: TypeNames,
): string {
  const read = columns.map(({ name, type }) => (type === 'date' ? `CAST(${name} AS date)` : name));
  const held = columns.map(({ name, type }) => `${name} ${type === 'date' ? types.text : types[type]}`);
  const json = JSON.stringify(rows).replaceAll("'", "''");
  return (
    `SELECT ${read.join(', ')} FROM UNNEST(CAST(JSON '${json}' AS array(row(${held.join(', ')})))) ` +
    `AS r (${columns.map(({ name }) => name).join(', ')})`
  );
}

function printRow(row: readonly DemoValue[], table: DemoTable): string {
  return row.map((value, index) => literal(value, table.columns[index]?.type === 'date')).join(', ');
}

function literal(value: DemoValue, isDate: boolean): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return `${isDate ? 'DATE ' : ''}'${value.replaceAll("'", "''")}'`;
}

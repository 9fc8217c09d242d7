/** The database of a case on the engine that the case is about. */

import { createHash } from 'node:crypto';
import { access, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSqliteDriver } from '../../database/embedded/index.ts';
import { loadDriver } from '../../database/index.ts';
import { CandorError } from '../../errors.ts';
import type { Cell } from '../../sql/dialects/cell.ts';
import { quoteName, quoteText } from '../../sql/dialects/index.ts';
import type { DialectName } from '../../sql/index.ts';
import { type CaseDatabase, findCaseDatabase } from './case-databases.ts';
import type { SuitePlaces } from './index.ts';
import { runOnPostgres } from './run-on-postgres.ts';
import { resolvePlaces } from './suite-places.ts';

export const CASE_ENGINES = ['sqlite', 'duckdb', 'postgres', 'mariadb'] as const;

export type CaseEngine = (typeof CASE_ENGINES)[number];

/** Servers that databases may be made on, as an account that may do so. */
export type EngineServers = Readonly<Partial<Record<'postgres' | 'mariadb', string>>>;

/** Northwind on any engine; every other database on SQLite or, as a file beside the cases, on DuckDB. Throws `eval.*`. */
export async function findEngineDatabase(
  name: string,
  engine: CaseEngine,
  options: SuitePlaces & {
    readonly file: string;
    readonly servers: EngineServers;
    readonly signal?: AbortSignal;
  },
): Promise<CaseDatabase> {
  const found = await findCaseDatabase(name, options);
  if (found.url.startsWith(`${engine}:`)) return found;
  if (name !== 'northwind' || engine === 'sqlite')
    throw new CandorError('eval.case-invalid', `The database ${name} is not one of ${engine}.`);
  const { cacheDirectory } = resolvePlaces(options);
  const source = found.url.replace(/^sqlite:/, '');
  const server = engine === 'duckdb' ? undefined : options.servers[engine];
  const url = await copyNorthwind(source, { engine, server, cacheDirectory });
  return { ...found, name: `northwind-${engine}`, url };
}

/** Northwind on other engines: the rows of the SQLite file, under types that the engine would have them in. */
type CopyEngine = 'duckdb' | 'postgres' | 'mariadb';

/** MariaDB is spoken to as MySQL is. */
function dialectOf(engine: CopyEngine): DialectName {
  return engine === 'mariadb' ? 'mysql' : engine;
}

type Kind = 'integer' | 'decimal' | 'real' | 'text' | 'name' | 'key' | 'date' | 'timestamp' | 'blob';

const TYPES: Readonly<Record<CopyEngine, Readonly<Record<Kind, string>>>> = {
  duckdb: {
    ...{ integer: 'INTEGER', decimal: 'DECIMAL(12,4)', real: 'DOUBLE', text: 'VARCHAR', name: 'VARCHAR' },
    ...{ key: 'VARCHAR', date: 'DATE', timestamp: 'TIMESTAMP', blob: 'BLOB' },
  },
  postgres: {
    ...{ integer: 'integer', decimal: 'numeric(12,4)', real: 'double precision', text: 'text' },
    ...{ name: 'varchar(80)', key: 'varchar(40)', date: 'date', timestamp: 'timestamp', blob: 'bytea' },
  },
  mariadb: {
    ...{ integer: 'INT', decimal: 'DECIMAL(12,4)', real: 'DOUBLE', text: 'TEXT', name: 'VARCHAR(80)' },
    ...{ key: 'VARCHAR(40)', date: 'DATE', timestamp: 'DATETIME', blob: 'LONGBLOB' },
  },
};

/** Parents before their children. */
const TABLES = [
  ...['Categories', 'CustomerDemographics', 'Customers', 'CustomerCustomerDemo', 'Employees', 'Regions'],
  ...['Territories', 'EmployeeTerritories', 'Suppliers', 'Products', 'Shippers', 'Orders', 'Order Details'],
];

const DATES = ['BirthDate', 'HireDate'];
const TIMESTAMPS = ['OrderDate', 'RequiredDate', 'ShippedDate'];
const KEYS = ['CustomerID', 'TerritoryID', 'CustomerTypeID'];
const NAMES = [
  ...['CompanyName', 'City', 'Country', 'ProductName', 'LastName', 'FirstName', 'Title'],
  ...['Discontinued', 'CategoryName', 'ShipCountry', 'ShipCity'],
];

const BATCH_ROWS = 100;

interface Target {
  readonly engine: CopyEngine;
  /** Of PostgreSQL and MariaDB. */
  readonly server: string | undefined;
  readonly cacheDirectory: string;
}

/** The URL of the copy. On a server it is made anew as `candor_northwind`; a DuckDB file is made once. */
export async function copyNorthwind(
  source: string,
  { engine, server, cacheDirectory }: Target,
): Promise<string> {
  const statements = await printStatements(source, engine);
  if (engine === 'duckdb') return copyToDuckdb(statements, cacheDirectory);
  if (server === undefined) throw new CandorError('eval.server-missing', `There is no server for ${engine}.`);
  const url = new URL(server);
  url.pathname = '/candor_northwind';
  const run = engine === 'postgres' ? runOnPostgres : runOnMariadb;
  const force = engine === 'postgres' ? ' WITH (FORCE)' : '';
  await run(server, [`DROP DATABASE IF EXISTS candor_northwind${force}`, 'CREATE DATABASE candor_northwind']);
  // One transaction: rows of PostgreSQL may point at later ones until it ends.
  await run(url.href, ['BEGIN', ...statements, 'COMMIT']);
  return url.href;
}

async function copyToDuckdb(statements: readonly string[], cacheDirectory: string): Promise<string> {
  const version = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 8);
  const path = join(cacheDirectory, 'databases', `northwind-${version}.duckdb`);
  const isMade = await access(path).then(
    () => true,
    () => false,
  );
  if (isMade) return `duckdb:${path}`;
  await mkdir(join(cacheDirectory, 'databases'), { recursive: true });
  const half = `${path}.${process.pid}`;
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(half);
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  await rename(half, path);
  return `duckdb:${path}`;
}

async function runOnMariadb(url: string, statements: readonly string[]): Promise<void> {
  const { createConnection } = await loadDriver(
    'MariaDB',
    'npm install mysql2',
    () => import('mysql2/promise'),
  );
  const connection = await createConnection({ uri: url });
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** Tables with their keys, then rows, so many in a statement. */
async function printStatements(source: string, engine: CopyEngine): Promise<string[]> {
  const { DatabaseSync } = await loadSqliteDriver();
  const database = new DatabaseSync(source, { readOnly: true });
  const read = <Row>(sql: string): Row[] => database.prepare(sql).all() as Row[];
  try {
    return TABLES.flatMap((table) => {
      const columns = read<Column>(`PRAGMA table_info("${table}")`);
      const links = read<{ table: string; from: string; to: string }>(`PRAGMA foreign_key_list("${table}")`);
      // Rows that point at later ones of the same table cannot be put in one after the other.
      const held = links.filter((link) => link.table !== table || engine === 'postgres');
      const rows = read<Record<string, Cell | Uint8Array>>(`SELECT * FROM "${table}"`);
      const values = rows.map(
        (row) =>
          `(${Object.values(row)
            .map((cell) => printCell(cell, engine))
            .join(', ')})`,
      );
      const batches = Array.from({ length: Math.ceil(values.length / BATCH_ROWS) }, (_, i) =>
        values.slice(i * BATCH_ROWS, (i + 1) * BATCH_ROWS),
      );
      const name = quoteName(table, dialectOf(engine));
      return [
        `CREATE TABLE ${name} (${[...columns.map((column) => printColumn(column, engine)), ...keysOf(columns, held, engine)].join(', ')})`,
        ...batches.map((batch) => `INSERT INTO ${name} VALUES ${batch.join(', ')}`),
      ];
    });
  } finally {
    database.close();
  }
}

function keysOf(
  columns: readonly Column[],
  links: readonly { readonly table: string; readonly from: string; readonly to: string }[],
  engine: CopyEngine,
): string[] {
  const primary = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const deferred = engine === 'postgres' ? ' DEFERRABLE INITIALLY DEFERRED' : '';
  return [
    ...(primary.length === 0
      ? []
      : [`PRIMARY KEY (${primary.map(({ name }) => quoteName(name, dialectOf(engine))).join(', ')})`]),
    ...links.map(
      ({ table, from, to }) =>
        `FOREIGN KEY (${quoteName(from, dialectOf(engine))}) REFERENCES ${quoteName(table, dialectOf(engine))} (${quoteName(to, dialectOf(engine))})${deferred}`,
    ),
  ];
}

function printColumn({ name, type, notnull, pk }: Column, engine: CopyEngine): string {
  const isNeeded = notnull > 0 || pk > 0 ? ' NOT NULL' : '';
  return `${quoteName(name, dialectOf(engine))} ${TYPES[engine][kindOf(name, type, pk > 0)]}${isNeeded}`;
}

function kindOf(name: string, declared: string, isKey: boolean): Kind {
  if (DATES.includes(name)) return 'date';
  if (TIMESTAMPS.includes(name)) return 'timestamp';
  if (/^int/i.test(declared)) return 'integer';
  if (/^num/i.test(declared)) return 'decimal';
  if (/^real/i.test(declared)) return 'real';
  if (/^blob/i.test(declared)) return 'blob';
  if (isKey || KEYS.includes(name)) return 'key';
  return NAMES.includes(name) ? 'name' : 'text';
}

function printCell(cell: Cell | Uint8Array, engine: CopyEngine): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'object') return printBytes(Buffer.from(cell as Uint8Array).toString('hex'), engine);
  if (typeof cell !== 'string') return String(cell);
  return quoteText(cell, dialectOf(engine));
}

function printBytes(hex: string, engine: CopyEngine): string {
  if (engine === 'postgres') return `'\\x${hex}'`;
  return engine === 'duckdb' ? `from_hex('${hex}')` : `x'${hex}'`;
}

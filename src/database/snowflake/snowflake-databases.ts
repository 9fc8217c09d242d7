/** Reads the databases of an account one after the other; one that cannot be read is left out with its reason. */
import { CandorError } from '../../errors.ts';
import type { DatabaseSchema, SchemaForeignKey, SchemaLeftOut, SchemaTable } from '../interface/database.ts';
import type { ScopeReader } from '../interface/table-scope.ts';
import {
  type ForEachRow,
  listSnowflakeTables,
  readSnowflakeSchema,
  type SnowflakeScope,
  stampSql,
} from './snowflake-schema.ts';

/** Of Snowflake itself: what accounts were billed, and sample data. */
const OF_THE_SERVICE = /^SNOWFLAKE(?:_SAMPLE_DATA)?$/;

export interface AccountScope {
  /** All databases that the role may use when absent. */
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly tables: ScopeReader;
}

export async function readAccount(forEachRow: ForEachRow, scope: AccountScope): Promise<DatabaseSchema> {
  const tables: SchemaTable[] = [];
  const foreignKeys: SchemaForeignKey[] = [];
  const leftOut = await inDatabases(forEachRow, scope, async (one) => {
    const found = await readSnowflakeSchema(forEachRow, one);
    tables.push(...found.tables);
    foreignKeys.push(...found.foreignKeys);
  });
  return { tables, foreignKeys, ...(leftOut.length === 0 ? {} : { leftOut }) };
}

export async function stampAccount(forEachRow: ForEachRow, scope: AccountScope): Promise<string> {
  const parts: string[] = [];
  const leftOut = await inDatabases(forEachRow, scope, async (one) => {
    const cells: (string | null)[] = [];
    await forEachRow(stampSql(one), (row) => cells.push(...Object.values(row)));
    parts.push(one.isOneOfMany === true ? `${one.database}:${cells.join(':')}` : cells.join(':'));
  });
  return [...parts, ...leftOut.map(({ name }) => `${name}:unread`)].join(' ');
}

export async function listAccountTables(
  forEachRow: ForEachRow,
  scope: AccountScope,
): Promise<readonly string[]> {
  const keys: string[] = [];
  await inDatabases(forEachRow, scope, async (one) => {
    keys.push(...(await listSnowflakeTables(forEachRow, one)));
  });
  return keys;
}

/** Throws the first refusal where nothing at all could be read. */
async function inDatabases(
  forEachRow: ForEachRow,
  { database, schema, tables }: AccountScope,
  read: (one: SnowflakeScope) => Promise<void>,
): Promise<SchemaLeftOut[]> {
  if (database !== undefined) {
    await read({ database, schema });
    return [];
  }
  const names: string[] = [];
  await forEachRow('SHOW DATABASES', ({ name }) => {
    if (name && !OF_THE_SERVICE.test(name) && tables.mayHold([name])) names.push(name);
  });
  const leftOut: SchemaLeftOut[] = [];
  let refused: CandorError | undefined;
  for (const name of names.sort()) {
    try {
      await read({ database: name, schema: undefined, isOneOfMany: true });
    } catch (error) {
      // What the server says of this database alone has a number of its own.
      if (!(error instanceof CandorError) || error.data.engineCode === undefined) throw error;
      if (error.code === 'database.cancelled') throw error;
      refused ??= error;
      leftOut.push({ name: `the database ${name}`, because: error.message });
    }
  }
  if (refused !== undefined && leftOut.length === names.length) throw refused;
  return leftOut;
}

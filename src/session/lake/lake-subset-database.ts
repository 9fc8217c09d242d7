/** Some tables of a lake as a database of their own, which the rest of Candor reads as it reads any. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Column, ForeignKey, Table } from '../../catalog/index.ts';
import {
  type Database,
  type DatabaseSchema,
  decorate,
  type SchemaColumn,
  type SchemaTable,
} from '../../database/index.ts';
import type { SessionPart } from '../project/open-session.ts';

export interface SubsetOfLake {
  readonly tables: readonly Table[];
  /** Those that lead to other tables are left out. */
  readonly foreignKeys: readonly ForeignKey[];
  /** Of the whole project. */
  readonly derivedDirectory: string;
}

/** Closing it closes nothing. Equal tables have one folder, where what was learned of them is found again. */
export function lakeSubset(
  engine: Database,
  { tables, foreignKeys, derivedDirectory }: SubsetOfLake,
): SessionPart {
  const byId = new Map(tables.map((table) => [table.id, table]));
  const schema: DatabaseSchema = {
    tables: tables.map(toSchemaTable),
    foreignKeys: foreignKeys.flatMap((key) => {
      const [from, to] = [byId.get(key.fromTable), byId.get(key.toTable)];
      if (from === undefined || to === undefined) return [];
      return [
        {
          ...{ fromTable: keyOf(from), fromColumns: namesOf(from, key.fromColumns) },
          ...{ toTable: keyOf(to), toColumns: namesOf(to, key.toColumns) },
        },
      ];
    }),
  };
  const stamp = createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 24);
  return {
    directory: join(derivedDirectory, 'lake', stamp),
    engine: decorate(engine, () => ({
      stamp: async () => stamp,
      readSchema: async () => schema,
      close: async () => undefined,
    })),
  };
}

function toSchemaTable(table: Table): SchemaTable {
  const { name, schema, catalog, qualifier, kind, ownsRows } = table;
  const { comment, columns, primaryKey, partitionKey } = table;
  return {
    name,
    ...(schema !== undefined && { schema }),
    ...(catalog !== undefined && { catalog }),
    ...(qualifier !== undefined && { qualifier }),
    kind,
    ...(ownsRows && { ownsRows }),
    ...(comment !== undefined && { comment }),
    columns: columns.map(toSchemaColumn),
    primaryKey: namesOf(table, primaryKey),
    ...(partitionKey !== undefined && { partitionKey: namesOf(table, partitionKey) }),
  };
}

function toSchemaColumn({ name, type, isNullable, comment }: Column): SchemaColumn {
  return { name, type, isNullable, ...(comment !== undefined && { comment }) };
}

function keyOf({ qualifier = [], name }: Table): string {
  return [...qualifier, name].join('.');
}

function namesOf({ columns }: Table, ids: readonly string[]): string[] {
  return ids.flatMap((id) => columns.find((column) => column.id === id)?.name ?? []);
}

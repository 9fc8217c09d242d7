/** The tables of PostgreSQL schema by schema, with a stamp of each that the server computes. */

import type { Cell } from '../../sql/dialects/cell.ts';
import { quoteText } from '../../sql/dialects/index.ts';
import type { SchemaForeignKey } from '../interface/database.ts';
import {
  type ListedTable,
  mergeListed,
  type ReadRows,
  type ReadTables,
  type TableLister,
} from '../interface/listed-tables.ts';
import { READABLE_TABLES, readPostgresSchema } from './postgres-schema.ts';

const SCHEMAS = `
  SELECT DISTINCT lower(nspname) COLLATE "C" AS name FROM pg_catalog.pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(oid, 'USAGE')
  ORDER BY name`;

/** A hash over what `readPostgresSchema` reads of a table; the definition of a view counts by the version of its rule. */
const stampsOf = (readable: string): string => `
  SELECT id, to_hex(hashtextextended(concat_ws('|', relname, relkind, is_whole, owns_rows, told, fields, keys, rules), 0)) FROM (
    SELECT lower(CASE WHEN pg_table_is_visible(t.oid) THEN t.relname ELSE concat_ws('.', t.nspname, t.relname) END)
      COLLATE "C" AS id, t.relname, t.relkind, t.is_whole, t.owns_rows,
      (SELECT string_agg(d.objsubid || ':' || d.description, '|' ORDER BY d.objsubid) FROM pg_catalog.pg_description d
        WHERE d.classoid = 'pg_catalog.pg_class'::regclass AND d.objoid = t.oid) AS told,
      (SELECT string_agg(concat_ws(':', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attacl), '|'
          ORDER BY a.attnum)
        FROM pg_catalog.pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped) AS fields,
      (SELECT string_agg(concat_ws(':', k.oid, k.contype, k.conkey, k.confrelid, k.confkey), '|' ORDER BY k.oid)
        FROM pg_catalog.pg_constraint k WHERE k.conrelid = t.oid AND k.contype IN ('p', 'f')) AS keys,
      (SELECT string_agg(concat_ws(':', r.oid, r.xmin), '|' ORDER BY r.oid)
        FROM pg_catalog.pg_rewrite r WHERE r.ev_class = t.oid) AS rules
    FROM (${readable}) t) s
  ORDER BY id, relname COLLATE "C"`;

const nameOf = (table: string, schema: string): string =>
  `CASE WHEN pg_table_is_visible(${table}.oid) THEN ${table}.relname ELSE concat_ws('.', ${schema}, ${table}.relname) END`;
const columnsOf = (numbers: string, table: string): string => `
  (SELECT jsonb_agg(a.attname ORDER BY o.place) FROM unnest(${numbers}) WITH ORDINALITY AS o (number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = ${table} AND a.attnum = o.number)::text`;

/** Foreign keys of the tables, also those that lead to tables which are not wanted. */
const keysOf = (readable: string): string => `
  SELECT ${nameOf('t', 't.nspname')}, ${columnsOf('k.conkey', 'k.conrelid')},
    ${nameOf('c', 'n.nspname')}, ${columnsOf('k.confkey', 'k.confrelid')}
  FROM (${readable}) t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' AND k.conparentid = 0
  JOIN pg_catalog.pg_class c ON c.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  ORDER BY k.conrelid, k.oid`;

export function postgresTables(read: ReadRows): TableLister {
  const list = async (readable: string, signal?: AbortSignal): Promise<readonly ListedTable[]> => {
    const rows = await read(stampsOf(readable), signal);
    return rows.map(([id, stamp]) => ({ id: String(id), stamp: String(stamp) }));
  };
  return {
    list(signal) {
      const bare = async function* () {
        yield await list(`${READABLE_TABLES} AND pg_table_is_visible(c.oid)`, signal);
      };
      const qualified = async function* () {
        for (const [schema] of await read(SCHEMAS, signal)) {
          const within = `lower(n.nspname) = ${quoteText(String(schema), 'postgres')} AND NOT pg_table_is_visible(c.oid)`;
          yield await list(`${READABLE_TABLES} AND ${within}`, signal);
        }
      };
      // `public` stands without its schema, between the others.
      return mergeListed(bare(), qualified());
    },
    async read(ids, signal): Promise<ReadTables> {
      const readable = `${READABLE_TABLES} AND ${nameTest(ids)}`;
      const stamps = new Map<string, string>();
      for (const { id, stamp } of await list(readable, signal)) if (!stamps.has(id)) stamps.set(id, stamp);
      const schema = await readPostgresSchema(async (sql, onRow) => {
        for (const row of await read(sql, signal)) onRow(row);
      }, readable);
      const foreignKeys = (await read(keysOf(readable), signal)).map(toKey);
      return { schema: { tables: schema.tables, foreignKeys }, stamps };
    },
  };
}

function toKey([fromTable, fromColumns, toTable, toColumns]: readonly Cell[]): SchemaForeignKey {
  return {
    ...{ fromTable: String(fromTable), fromColumns: toNames(fromColumns) },
    ...{ toTable: String(toTable), toColumns: toNames(toColumns) },
  };
}

function toNames(cell: Cell | undefined): readonly string[] {
  const names: unknown = JSON.parse(String(cell));
  return Array.isArray(names) ? names.map(String) : [];
}

/** By the name as it is written in the catalog, which has an index; names with capitals, which are few, one by one. */
function nameTest(ids: readonly string[]): string {
  const wanted = ids.map((id) => quoteText(id, 'postgres')).join(', ');
  const names = ids.map((id) => quoteText(id.slice(id.lastIndexOf('.') + 1), 'postgres')).join(', ');
  return `(c.relname IN (${names}) OR c.relname <> lower(c.relname) OR c.relname LIKE '%.%')
    AND lower(CASE WHEN pg_table_is_visible(c.oid) THEN c.relname ELSE concat_ws('.', n.nspname, c.relname) END)
      IN (${wanted})`;
}

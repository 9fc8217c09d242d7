import { READABLE_TABLES } from './postgres-schema.ts';
import type { ReadCatalogRows } from './reading-transaction.ts';

/**
 * Sums of hashes over what `readPostgresSchema` reads, so that no order and no memory for the whole is needed. The
 * definition of a view counts by the version of its rule.
 */
const STAMP = `
  WITH t AS MATERIALIZED (${READABLE_TABLES}),
  parts AS (
    SELECT hashtextextended(concat_ws('|', 't', t.oid, t.nspname, t.relname, t.relkind, t.is_whole, t.owns_rows,
      pg_table_is_visible(t.oid)), 0) AS hash FROM t
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'c', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod,
      a.attnotnull, a.attacl), 0)
    FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'k', k.oid, k.conrelid, k.contype, k.conkey, k.confrelid, k.confkey), 0)
    FROM t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'f')
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'd', d.objoid, d.objsubid, d.description), 0)
    FROM t JOIN pg_catalog.pg_description d
      ON d.classoid = 'pg_catalog.pg_class'::regclass AND d.objoid = t.oid
    UNION ALL
    SELECT hashtextextended(concat_ws('|', 'v', r.ev_class, r.oid, r.xmin), 0)
    FROM t JOIN pg_catalog.pg_rewrite r ON r.ev_class = t.oid)
  SELECT count(*) || '-' || coalesce(sum(hash), 0) FROM parts`;

/** Changes with the schema that the user can read: tables, columns, types, keys, comments, rights, views. */
export async function stampPostgres(read: ReadCatalogRows): Promise<string> {
  let stamp = '';
  await read(STAMP, ([text]) => {
    stamp = String(text);
  });
  return stamp;
}

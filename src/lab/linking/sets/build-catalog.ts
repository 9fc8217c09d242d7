/** From what a benchmark says of a schema to our catalog. */
import { createHash } from 'node:crypto';
import { type Catalog, type ForeignKey, familyOfType, type Table } from '../../../catalog/index.ts';
import type { DialectName } from '../../../sql/dialects/dialect.ts';

/** A table as a benchmark describes it; keys are names of its columns. */
export interface DescribedTable {
  readonly name: string;
  /** Database and schema around it, where the engine has both. */
  readonly place?: { readonly catalog: string; readonly schema: string };
  readonly comment?: string;
  readonly columns: readonly DescribedColumn[];
  readonly primaryKey: readonly string[];
}

export interface DescribedColumn {
  readonly name: string;
  /** As the source says; empty when it does not. */
  readonly type: string;
  readonly comment?: string;
  /** Values that were given with the schema. */
  readonly examples?: readonly string[];
}

/** A declared link, by names of tables and columns. */
export interface DescribedKey {
  readonly fromTable: string;
  readonly fromColumns: readonly string[];
  readonly toTable: string;
  readonly toColumns: readonly string[];
}

export interface DescribedSchema {
  readonly tables: readonly DescribedTable[];
  readonly keys: readonly DescribedKey[];
}

/** The catalog of one database of a benchmark. A key whose table or column the schema lacks is left out and named. */
export function buildCatalog(database: string, dialect: DialectName, schema: DescribedSchema): Catalog {
  const tables = schema.tables.map((table) => buildTable(table, dialect));
  const columns = new Set(tables.flatMap((table) => table.columns.map(({ id }) => id)));
  const foreignKeys: ForeignKey[] = [];
  const leftOut: { name: string; because: string }[] = [];
  for (const key of schema.keys) {
    const built = buildKey(key);
    const isThere = [...built.fromColumns, ...built.toColumns].every((id) => columns.has(id));
    const isWhole = built.fromColumns.length > 0 && built.fromColumns.length === built.toColumns.length;
    if (isThere && isWhole) foreignKeys.push(built);
    else leftOut.push({ name: nameOf(key), because: 'a foreign key whose columns the schema does not have' });
  }
  return {
    database,
    dialect,
    tables,
    foreignKeys,
    fingerprint: createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

function buildTable(
  { name, place, comment, columns, primaryKey }: DescribedTable,
  dialect: DialectName,
): Table {
  const id = (place === undefined ? name : `${place.catalog}.${place.schema}.${name}`).toLowerCase();
  return {
    id,
    name,
    ...(place && { ...place, qualifier: [place.catalog, place.schema] }),
    kind: 'table',
    ...(comment === undefined || comment === '' ? {} : { comment }),
    columns: columns.map((column) => buildColumn(column, id, dialect)),
    primaryKey: primaryKey.map((key) => `${id}.${key.toLowerCase()}`),
    rowCount: 0,
  };
}

function buildColumn(
  { name, type, comment, examples = [] }: DescribedColumn,
  tableId: string,
  dialect: DialectName,
) {
  return {
    id: `${tableId}.${name.toLowerCase()}`,
    tableId,
    name,
    type,
    family: familyOfType(dialect, type),
    isNullable: true,
    ...(comment === undefined || comment === '' ? {} : { comment }),
    // Given values are all that anyone has looked at, so the counts are of them.
    ...(examples.length === 0
      ? {}
      : {
          profile: {
            scannedRows: examples.length,
            sampledBy: 'first rows' as const,
            nullCount: 0,
            distinctCount: new Set(examples).size,
            examples,
          },
        }),
  };
}

function buildKey({ fromTable, fromColumns, toTable, toColumns }: DescribedKey): ForeignKey {
  const [from, to] = [fromTable.toLowerCase(), toTable.toLowerCase()];
  return {
    fromTable: from,
    fromColumns: fromColumns.map((name) => `${from}.${name.toLowerCase()}`),
    toTable: to,
    toColumns: toColumns.map((name) => `${to}.${name.toLowerCase()}`),
    source: 'declared',
  };
}

function nameOf({ fromTable, fromColumns, toTable, toColumns }: DescribedKey): string {
  return `${fromTable}(${fromColumns.join(', ')}) → ${toTable}(${toColumns.join(', ')})`;
}

/** Our side of the comparison: the only file of this bench that knows the SQL core. */
import type { DialectName } from '../../src/sql/dialects/dialect.ts';
import { parse } from '../../src/sql/parser/parse.ts';
import { scopes } from '../../src/sql/scope/scopes.ts';
import type { NamedSchema } from '../../src/sql/scope/state/schema-index.ts';
import type { Lineage, OpenColumn, Reference, Source } from '../../src/sql/scope/state/scope.ts';
import type { SqlNode, SqlTree } from '../../src/sql/tree/node.ts';
import type { CoreSchema, CoreTable } from './query-set.ts';

/** What our core says of the columns and tables of a query. */
export interface OurReferences {
  readonly columns: readonly OurColumn[];
  /** Names of stored tables, without schema or database. */
  readonly tables: readonly string[];
}

export interface OurColumn {
  /** UTF-16 offset of the column's own name, its opening quote included: of `b` in `a.b`. */
  readonly start: number;
  /** What the name stands for; `unknown` and `ambiguous` say that it has no owner. */
  readonly kind: string;
  /** `table.column` of stored tables, after following queries down. */
  readonly physical: readonly string[];
}

/** `ok` is for text that parses to one query. */
export type OurParse<Tree> =
  | { readonly ok: true; readonly tree: Tree }
  | { readonly ok: false; readonly error: string };

/** What the bench measures of a core; another one can stand in for ours. */
export interface SqlCore<Tree> {
  readonly parse: (sql: string, dialect: DialectName) => OurParse<Tree>;
  /** The type of every node, in any order. */
  readonly readNodeTypes: (tree: Tree) => readonly string[];
  readonly readReferences: (sql: string, dialect: DialectName, schema: CoreSchema) => OurReferences;
  /** The work that is timed beside SQLGlot's qualify: from the text to resolved scopes. */
  readonly buildScopes: (sql: string, dialect: DialectName, schema: CoreSchema) => unknown;
}

/** What a program that parses and resolves would import, in the built package; its load time is measured. */
export const OUR_MODULE = 'sql/scope/find-names.js';

export const OUR_CORE: SqlCore<SqlTree> = {
  parse: (sql, dialect) => {
    const parsed = parse(sql, dialect);
    if (!parsed.ok) return { ok: false, error: `${parsed.error.message}\n${parsed.error.excerpt}` };
    return parsed.tree.root.type === 'Command' ? { ok: false, error: 'not a query' } : parsed;
  },
  readNodeTypes: (tree) => tree.nodes.map((node) => node.type),
  readReferences: readOurReferences,
  buildScopes: resolve,
};

export function readOurReferences(sql: string, dialect: DialectName, schema: CoreSchema): OurReferences {
  const { tree, references, sources } = resolve(sql, dialect, schema);
  const columns = tree.nodes.flatMap((node): OurColumn[] => {
    const reference = references[node.id];
    return reference === undefined ? [] : describe(node, reference);
  });
  const tables = new Set(sources.flatMap((source) => (source === undefined ? [] : tableNameOf(source))));
  return { columns, tables: [...tables] };
}

function resolve(sql: string, dialect: DialectName, schema: CoreSchema) {
  const parsed = parse(sql, dialect);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return scopes(parsed.tree, namedSchemaOf(schema));
}

const NAMED_SCHEMAS = new WeakMap<CoreSchema, NamedSchema>();

/** The same object for the same schema, since the core keeps its index by it. */
function namedSchemaOf(schema: CoreSchema): NamedSchema {
  const known = NAMED_SCHEMAS.get(schema);
  if (known !== undefined) return known;
  const named = { tables: schema.tables.map(toNamedTable) };
  NAMED_SCHEMAS.set(schema, named);
  return named;
}

function toNamedTable({ name, qualifier = [], columns }: CoreTable) {
  const id = [...qualifier, name].join('.');
  return {
    id,
    name,
    schema: qualifier.at(-1),
    catalog: qualifier.at(-2),
    columns: columns.map((column) => ({ id: `${id}.${column.name}`, name: column.name, type: column.type })),
  };
}

/** Stars, units of time and parameters of lambdas are no references to SQLGlot. */
function describe(node: SqlNode, reference: Reference): OurColumn[] {
  const { kind } = reference;
  if (kind === 'star' || kind === 'unit' || kind === 'parameter') return [];
  const { start, value } = nameOf(node, reference);
  if (kind === 'hidden') {
    return [{ start, kind, physical: tableNameOf(reference.source).map((table) => `${table}.${value}`) }];
  }
  return [{ start, kind, physical: physicalOf(reference.lineage) }];
}

/** The Identifier of the column: before the fields of a structure, after its qualifiers. */
function nameOf(node: SqlNode, reference: Reference): SqlNode {
  if (node.type !== 'Column') return node;
  const fields = 'fields' in reference ? reference.fields.length : 0;
  return node.children[node.children.length - 1 - fields] ?? node;
}

function physicalOf({ physical, from, open }: Lineage): string[] {
  const known = [...physical, ...from].map((column) => `${column.table.name}.${column.name}`);
  return [...new Set([...known, ...open.flatMap(openNames)])];
}

/** Columns of tables that the schema lacks; what comes out of functions is of no table. */
function openNames({ source, name }: OpenColumn): string[] {
  return tableNameOf(source).map((table) => `${table}.${name}`);
}

function tableNameOf({ kind, table, node }: Source): string[] {
  if (table !== undefined) return [table.name.toLowerCase()];
  if (kind !== 'unknown-table') return [];
  const name = node.children.find((part) => part.role === 'this')?.value;
  return name === undefined ? [] : [name.toLowerCase()];
}

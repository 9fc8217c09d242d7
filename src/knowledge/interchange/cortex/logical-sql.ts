/** SQL of verified queries names logical tables (`__orders`) and columns; ours names the database's own. */
import { type DialectName, parse } from '../../../sql/index.ts';
import { type Patch, patchText } from '../../../sql/rewrite/index.ts';
import { type SqlNode, type SqlTree, walk } from '../../../sql/tree/index.ts';
import { readOneColumn } from '../../semantic/semantic-file.ts';
import { columnText } from '../foreign/sql-expression.ts';

/** A table under both its names. */
export interface TableNames {
  /** `orders`; in SQL of the format `__orders`. */
  readonly logical: string;
  /** `warehouse.sales.orders`, as our SQL names it. */
  readonly source: string;
  /** What each logical column is, over physical ones, by its name. */
  readonly columns: ReadonlyMap<string, string>;
}

const DIALECTS: readonly DialectName[] = ['snowflake', 'duckdb', 'sqlite', 'postgres', 'mysql', 'bigquery'];

/**
 * The query over physical tables. A table of which only columns of the same name are read is named directly; else a
 * query of its own stands in its place that computes the logical columns. `undefined` when it cannot be read.
 */
export function toPhysicalSql(sql: string, tables: readonly TableNames[]): string | undefined {
  const tree = readQuery(sql);
  if (tree === undefined) return undefined;
  const used = usedColumns(tree);
  const patches: Patch[] = [];
  for (const { node, name, alias } of tableNodes(tree)) {
    const table = tables.find(({ logical }) => [logical, `__${logical}`].some((word) => isSame(word, name)));
    if (table === undefined) continue;
    const columns = [...table.columns].filter(([column]) => used === 'all' || used.has(column.toLowerCase()));
    const isRenamed = columns.some(([column, is]) => !isSame(readOneColumn(is) ?? '', column));
    const shown = isRenamed
      ? `(SELECT ${columns.map(([column, is]) => `${is} AS ${columnText(column)}`).join(', ')} FROM ${table.source})`
      : table.source;
    const needsAlias = alias === undefined && (isRenamed || isQualifiedBy(tree, name));
    patches.push({ span: node, text: needsAlias ? `${shown} AS ${columnText(name)}` : shown });
  }
  return patchText(tree.text, patches);
}

/**
 * The query over logical tables; `missing` are columns that the model does not have. Columns of another logical name
 * are renamed where they stand. `undefined` when it cannot be read.
 */
export function toLogicalSql(
  sql: string,
  tables: readonly TableNames[],
): { readonly sql: string; readonly missing: readonly string[] } | undefined {
  const tree = readQuery(sql);
  if (tree === undefined) return undefined;
  const patches: Patch[] = [];
  const sources = new Map<string, TableNames>();
  for (const { node, name, alias } of tableNodes(tree)) {
    const table = tables.find(({ source }) => isSame(lastPart(source), name));
    if (table === undefined) continue;
    const shown = `__${table.logical}`;
    sources.set((alias ?? name).toLowerCase(), table);
    const needsAlias = alias === undefined && isQualifiedBy(tree, name);
    patches.push({ span: node, text: needsAlias ? `${shown} AS ${columnText(name)}` : shown });
  }
  const missing = new Set<string>();
  for (const node of columnNodes(tree)) {
    const [name = '', qualifier] = node.children.map(({ value = '' }) => value).reverse();
    const owners = qualifier === undefined ? [...sources.values()] : [sources.get(qualifier.toLowerCase())];
    const found = owners.flatMap((owner) => logicalOf(name, owner));
    const last = node.children.at(-1);
    if (found.length === 0 || last === undefined) {
      if (qualifier !== undefined && owners[0] !== undefined) missing.add(name);
    } else if (found.length === 1 && !isSame(found[0] ?? '', name)) {
      patches.push({ span: last, text: columnText(found[0] ?? '') });
    }
  }
  return { sql: patchText(tree.text, patches), missing: [...missing] };
}

/** The logical column that is this physical one; one of the same name before others. */
function logicalOf(column: string, table: TableNames | undefined): string[] {
  const names = [...(table?.columns ?? [])].filter(([, is]) => isSame(readOneColumn(is) ?? '', column));
  const [first] = names.find(([name]) => isSame(name, column)) ?? names[0] ?? [];
  return first === undefined ? [] : [first];
}

function readQuery(sql: string): SqlTree | undefined {
  for (const dialect of DIALECTS) {
    const parsed = parse(sql, dialect);
    if (parsed.ok && parsed.tree.root.type !== 'Command') return parsed.tree;
  }
  return undefined;
}

function tableNodes(tree: SqlTree): { node: SqlNode; name: string; alias: string | undefined }[] {
  return [...walk(tree.root)].flatMap((node) => {
    if (node.type !== 'Table') return [];
    const names = node.children.filter(({ type }) => type === 'Identifier');
    const alias = node.children.find(({ type }) => type === 'TableAlias')?.children[0]?.value;
    const last = names.at(-1);
    if (last?.value === undefined) return [];
    // The name alone: an alias after it stays where it is.
    const name = { ...node, start: names[0]?.start ?? node.start, end: last.end };
    return [{ node: name, name: last.value, alias }];
  });
}

function columnNodes(tree: SqlTree): SqlNode[] {
  return [...walk(tree.root)].filter(
    ({ type, children }) => type === 'Column' && children.at(-1)?.type === 'Identifier',
  );
}

/** The names of all columns, in lower case; `all` where a star stands. */
function usedColumns(tree: SqlTree): ReadonlySet<string> | 'all' {
  const nodes = [...walk(tree.root)];
  const hasStar = nodes.some(({ type, parent }) => type === 'Star' && parent?.type !== 'Count');
  return hasStar
    ? 'all'
    : new Set(columnNodes(tree).map((node) => (node.children.at(-1)?.value ?? '').toLowerCase()));
}

function isQualifiedBy(tree: SqlTree, name: string): boolean {
  return columnNodes(tree).some(
    ({ children }) => children.length > 1 && isSame(children.at(-2)?.value ?? '', name),
  );
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function lastPart(source: string): string {
  return source.split('.').at(-1) ?? source;
}

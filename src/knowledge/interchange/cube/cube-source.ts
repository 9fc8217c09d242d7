import { parse } from '../../../sql/index.ts';
import { textOf, walk } from '../../../sql/tree/index.ts';
import type { CubeCube } from './cube-shape.ts';

/** The table that a cube reads, and the condition on its rows. */
export interface CubeSource {
  readonly source: string;
  readonly filter?: string;
}

const TABLE = /^[^.\s{}"'`()]+(?:\.[^.\s{}"'`()]+){0,2}$/;

/** `sql_table`, or a `sql` that is `SELECT * FROM table` with or without a condition; `undefined` for all else. */
export function readCubeSource({ name, sql, sql_table }: CubeCube): CubeSource | undefined {
  const table = sql_table ?? (sql == null ? name : undefined);
  if (table !== undefined) return TABLE.test(table.trim()) ? { source: table.trim() } : undefined;
  if (sql == null || /[{}]/.test(sql)) return undefined;
  const parsed = parse(sql, 'snowflake');
  if (!parsed.ok || parsed.tree.root.type !== 'Select') return undefined;
  const { tree } = parsed;
  const [star, from, where, ...others] = tree.root.children;
  const [relation, ...joins] = from?.children ?? [];
  if (star?.type !== 'Star' || from?.type !== 'From' || others.length > 0 || joins.length > 0)
    return undefined;
  if (relation?.type !== 'Table' || !TABLE.test(textOf(tree, relation))) return undefined;
  const source = textOf(tree, relation);
  if (where === undefined) return { source };
  const condition = where.type === 'Where' ? where.children[0] : undefined;
  if (condition === undefined || [...walk(condition)].some(({ type }) => type === 'Select')) return undefined;
  return { source, filter: textOf(tree, condition) };
}

export function writeCubeSource(
  source: string,
  filter: string | undefined,
): Pick<CubeCube, 'sql' | 'sql_table'> {
  return filter === undefined ? { sql_table: source } : { sql: `SELECT * FROM ${source} WHERE ${filter}` };
}

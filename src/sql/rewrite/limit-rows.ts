/** LIMIT: added where there is none, lowered where it allows more. */
import type { NamedSchema } from '../scope/state/schema-index.ts';
import { child, type SqlNode, type SqlTree } from '../tree/node.ts';
import {
  after,
  before,
  countTables,
  finishRewrite,
  type Patch,
  type RewriteResult,
  refuseRewrite,
} from './rewrite-result.ts';

const QUERIES: ReadonlySet<string> = new Set([
  'Select',
  'Union',
  'Intersect',
  'Except',
  'Subquery',
  'Values',
]);

/**
 * Lets a query give at most `rows` rows: `SELECT a FROM t` → `SELECT a FROM t LIMIT 100`. A smaller limit of its own
 * stays. A limit that is no plain number is kept inside a query around it.
 */
export function limitRows(tree: SqlTree, rows: number, schema: NamedSchema): RewriteResult {
  const { root } = tree;
  if (!Number.isInteger(rows) || rows < 0) throw new RangeError(`rows is a whole number from 0, not ${rows}`);
  if (!QUERIES.has(root.type)) return refuseRewrite(`${root.type} is no query to limit`, root);
  const lock = child(root, 'locks') ?? child(root, 'into');
  if (lock !== undefined) return refuseRewrite('a query that locks or writes is not limited', lock);
  return finishRewrite(tree, { patches: patchesOf(root, rows), expected: countTables(tree, schema) }, schema);
}

function patchesOf(root: SqlNode, rows: number): readonly Patch[] {
  const limit = child(root, 'limit');
  if (limit === undefined) return [addLimit(root, rows)];
  const count = child(limit, limit.type === 'Fetch' ? 'count' : 'expression');
  const isAll = limit.type === 'Limit' && count === undefined;
  if (isAll) return [{ span: limit, text: `LIMIT ${rows}` }];
  const isPlain = count?.type === 'Literal' && count.flags.string === undefined;
  const bends = limit.flags.percent !== undefined || limit.flags.ties !== undefined;
  if (count !== undefined && isPlain && !bends) {
    return Number(count.value?.replaceAll('_', '')) <= rows ? [] : [{ span: count, text: String(rows) }];
  }
  return [
    { span: before(root), text: 'SELECT * FROM (' },
    { span: after(root), text: `) AS limited LIMIT ${rows}` },
  ];
}

/** Before OFFSET where there is one, otherwise at the end. */
function addLimit(root: SqlNode, rows: number): Patch {
  const offset = child(root, 'offset');
  if (offset !== undefined) return { span: before(offset), text: `LIMIT ${rows} ` };
  const pipe = root.flags.pipe === undefined ? '' : ' |>';
  return { span: after(root), text: `${pipe} LIMIT ${rows}` };
}

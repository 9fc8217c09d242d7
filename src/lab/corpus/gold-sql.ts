/** What a gold query says about how to score it. */
import { child, type Hardness, hardness, parse, type SqlTree } from '../../sql/index.ts';

/** True when the whole result is ordered; an ORDER BY inside brackets orders only a part. */
export function hasTopLevelOrder(sql: string): boolean {
  return child(treeOf(sql).root, 'order') !== undefined;
}

/** Spider's own grading: `gradeHardness('SELECT count(*) FROM singer')` → `'easy'`. */
export function gradeHardness(sql: string): Hardness {
  return hardness(treeOf(sql));
}

function treeOf(sql: string): SqlTree {
  const parsed = parse(sql, 'sqlite');
  if (!parsed.ok) throw new Error(`a gold query does not parse: ${parsed.error.message}: ${sql}`);
  return parsed.tree;
}

/** Columns that an engine names by their text keep the name that the statement as written would give them. */
import type { DialectName } from '../dialect.ts';
import { DIALECTS } from '../dialects.ts';
import { quoteName } from '../print-query.ts';
import { plainName } from '../scope/output-name.ts';
import { type SqlNode, type SqlTree, textOf } from '../tree/node.ts';
import type { Patch } from './patch-text.ts';

/** DuckDB prints the statement anew for its names, so that no alias of ours is what it would say: it is asked instead. */
const NAMES_BY_TEXT: ReadonlySet<DialectName> = new Set(['sqlite', 'mysql', 'snowflake']);
/** From here on MariaDB numbers the columns of a CTE, `Name_exp_1`, whatever their text is. */
const MOST_OF_A_CTE_NAME = 64;
const UNNAMED = new Set(['Alias', 'Star', 'Column', 'Dot']);
const AROUND_A_BODY = new Set(['Union', 'Intersect', 'Except', 'Subquery', 'Paren']);

/**
 * Aliases for what is selected without a name and changed by the patches: `SELECT (SELECT MAX(a) FROM t)` is called
 * `(SELECT MAX(a) FROM t)` also when t is a subquery by then, whose text nobody shall read in a header.
 */
export function keepNames(tree: SqlTree, patches: readonly Patch[]): readonly Patch[] {
  if (!NAMES_BY_TEXT.has(tree.dialect)) return [];
  const isChanged = changedBy(patches);
  return tree.nodes.flatMap((node): Patch[] => {
    const isItem = node.parent?.type === 'Select' && node.role === 'expressions';
    if (!isItem || UNNAMED.has(node.type) || plainName(node) !== undefined || !isChanged(node)) return [];
    const name = textOf(tree, node);
    if (tree.dialect === 'mysql' && [...name].length > MOST_OF_A_CTE_NAME && isOfCte(node)) return [];
    const alias = ` AS ${quoteName(name, DIALECTS[tree.dialect])}`;
    return [{ span: { start: node.end, end: node.end }, text: alias }];
  });
}

/**
 * VALUES whose columns MariaDB calls by the text of the first row, which is not the one that was written; no alias can
 * stand there.
 */
export function findLostNames(tree: SqlTree, patches: readonly Patch[]): SqlNode | undefined {
  if (tree.dialect !== 'mysql') return undefined;
  const isChanged = changedBy(patches);
  return tree.nodes.find((node) => node.type === 'Values' && node.children.slice(0, 1).some(isChanged));
}

function changedBy(patches: readonly Patch[]): (node: SqlNode) => boolean {
  const starts = patches.map(({ span }) => span.start).sort((a, b) => a - b);
  return (node) => {
    const next = firstFrom(starts, node.start);
    return next !== undefined && next < node.end;
  };
}

function firstFrom(sorted: readonly number[], least: number): number | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** Whether an item is one of what a CTE shows. */
function isOfCte(item: SqlNode): boolean {
  let at = item.parent?.parent;
  while (at !== undefined && AROUND_A_BODY.has(at.type)) at = at.parent;
  return at?.type === 'CTE';
}

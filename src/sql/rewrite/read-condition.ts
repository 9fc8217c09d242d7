import type { DialectName } from '../dialect.ts';
import { parse } from '../parser/parse.ts';
import { findNames } from '../scope/find-names.ts';
import type { NamedSchema } from '../scope/schema-index.ts';
import type { SqlTree } from '../tree/node.ts';

/** A condition inside a query over its table; `offset` is where the condition begins in that query. */
export type ConditionRead =
  | { readonly ok: true; readonly tree: SqlTree; readonly offset: number }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a condition over the columns of one table (`table` as it is written in SQL). It must be one expression that
 * fills the brackets around it, so that no text can close them, and name only what exists.
 */
export function readCondition(
  condition: string,
  table: string,
  { dialect, schema }: { readonly dialect: DialectName; readonly schema: NamedSchema },
): ConditionRead {
  const lead = `SELECT 1 FROM ${table} WHERE (`;
  const parsed = parse(`${lead}${condition}\n)`, dialect);
  if (!parsed.ok) return { ok: false, problem: `does not parse: ${parsed.error.message}` };
  const { root } = parsed.tree;
  const inner = root.children.find(({ role }) => role === 'where')?.children[0];
  const isWhole = root.type === 'Select' && inner?.type === 'Paren' && inner.end === root.end;
  if (!isWhole || root.children.length !== 3) return { ok: false, problem: 'is no condition of its own' };
  const [problem] = findNames(parsed.tree, schema).problems;
  if (problem !== undefined)
    return { ok: false, problem: `names ${problem.name}, which has no meaning there` };
  return { ok: true, tree: parsed.tree, offset: lead.length };
}

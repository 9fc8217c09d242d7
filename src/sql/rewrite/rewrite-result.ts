import { parse } from '../parser/parse.ts';
import { findNames } from '../scope/find-names.ts';
import type { NamedSchema } from '../scope/schema-index.ts';
import type { Span } from '../span.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import { type Patch, patchText } from './patch-text.ts';

/** The tree of the rewritten text, or why it could not be rewritten without doubt about its meaning. */
export type RewriteResult =
  | { readonly ok: true; readonly tree: SqlTree }
  | { readonly ok: false; readonly reason: string; readonly span: Span };

export function refuseRewrite(reason: string, { start, end }: Span): RewriteResult {
  return { ok: false, reason, span: { start, end } };
}

/**
 * Patches the text and reads the result again: it must parse, name nothing that does not exist and read the same
 * tables as before, or more where a filter brings its own. Anything else is a refusal, never a changed query.
 */
export function finishRewrite(tree: SqlTree, patches: readonly Patch[], schema: NamedSchema): RewriteResult {
  if (patches.length === 0) return { ok: true, tree };
  const parsed = parse(patchText(tree.text, patches), tree.dialect);
  if (!parsed.ok)
    return refuseRewrite(`the rewritten query does not parse: ${parsed.error.message}`, tree.root);
  const before = findNames(tree, schema);
  const after = findNames(parsed.tree, schema);
  const [problem] = after.problems;
  if (problem !== undefined && after.problems.length > before.problems.length) {
    return refuseRewrite(`${problem.name} has no meaning in the rewritten query`, tree.root);
  }
  const lost = before.tables.find((table) => !after.tables.includes(table));
  return lost === undefined
    ? { ok: true, tree: parsed.tree }
    : refuseRewrite(`the rewritten query no longer reads ${lost}`, tree.root);
}

/** The first name of a query that nobody can resolve; where one is, no place of a table is certain. */
export function unresolvedName(tree: SqlTree, schema: NamedSchema): string | undefined {
  return findNames(tree, schema).problems[0]?.name;
}

/** A place to insert at. */
export function before(node: SqlNode): Span {
  return { start: node.start, end: node.start };
}

export function after(node: SqlNode): Span {
  return { start: node.end, end: node.end };
}

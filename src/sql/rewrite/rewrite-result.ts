import type { Span } from '../dialects/span.ts';
import { parse } from '../parser/parse.ts';
import { findNames } from '../scope/find-names.ts';
import { scopes } from '../scope/scopes.ts';
import type { NamedSchema } from '../scope/state/schema-index.ts';
import type { SqlNode, SqlTree } from '../tree/node.ts';
import {
  describePassed,
  type PassedLimit,
  passedLimit,
  REWRITTEN_LIMITS,
  type StatementLimits,
} from '../tree/statement-limits.ts';

/** The tree of the rewritten text, or why it could not be rewritten without doubt about its meaning. */
export type RewriteResult =
  | { readonly ok: true; readonly tree: SqlTree }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly span: Span;
      /** Nothing is wrong with the rewritten query but its size. */
      readonly isTooLarge?: boolean;
    };

export function refuseRewrite(reason: string, { start, end }: Span): RewriteResult {
  return { ok: false, reason, span: { start, end } };
}

/** How often each physical table is read, by canonical id. */
export type TableCounts = ReadonlyMap<string, number>;

export function countTables(tree: SqlTree, schema: NamedSchema): TableCounts {
  const counts = new Map<string, number>();
  for (const source of scopes(tree, schema).sources) {
    const id = source?.table?.id;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Adds the counts of one query to a sum, as often as it is put in or, below zero, taken out. */
export function addCounts(sum: Map<string, number>, more: TableCounts, times = 1): void {
  for (const [id, count] of more) sum.set(id, (sum.get(id) ?? 0) + count * times);
}

interface Rewritten {
  readonly patches: readonly Patch[];
  /** How often the result must read each table. */
  readonly expected: TableCounts;
  /** How large the result may be. */
  readonly limits?: StatementLimits | undefined;
}

/**
 * Patches the text and reads the result again: it must parse, name nothing that does not exist and read each table
 * exactly as often as expected. A CTE of the query that bears the name of a table which a filter reads would otherwise
 * take that table's place. Anything else is a refusal, never a changed query.
 */
export function finishRewrite(
  tree: SqlTree,
  { patches, expected, limits = REWRITTEN_LIMITS }: Rewritten,
  schema: NamedSchema,
): RewriteResult {
  if (patches.length === 0) return { ok: true, tree };
  const tooLong = passedLimit({ characters: lengthAfter(tree.text, patches) }, limits);
  if (tooLong !== undefined) return refuseSize(tree, tooLong);
  const parsed = parse(patchText(tree.text, patches), tree.dialect, limits);
  if (!parsed.ok && parsed.error.passed !== undefined) return refuseSize(tree, parsed.error.passed);
  if (!parsed.ok)
    return refuseRewrite(`the rewritten query does not parse: ${parsed.error.message}`, tree.root);
  const before = findNames(tree, schema);
  const after = findNames(parsed.tree, schema);
  const [problem] = after.problems;
  if (problem !== undefined && after.problems.length > before.problems.length) {
    return refuseRewrite(`${problem.name} has no meaning in the rewritten query`, tree.root);
  }
  const counts = countTables(parsed.tree, schema);
  const ids = new Set([...counts.keys(), ...expected.keys()]);
  const wrong = [...ids].find((id) => (counts.get(id) ?? 0) !== (expected.get(id) ?? 0));
  return wrong === undefined
    ? { ok: true, tree: parsed.tree }
    : refuseRewrite(`${wrong} would mean something else in the rewritten query`, tree.root);
}

function refuseSize(tree: SqlTree, passed: PassedLimit): RewriteResult {
  const { start, end } = tree.root;
  const reason = `once rewritten, ${describePassed(passed)}`;
  return { ok: false, reason, span: { start, end }, isTooLarge: true };
}

/** Known before the text is made, which may be much longer than the statement. */
function lengthAfter(text: string, patches: readonly Patch[]): number {
  return patches.reduce(
    (sum, { span, text: added }) => sum + added.length - (span.end - span.start),
    text.length,
  );
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

/** Text that takes the place of a span; an empty span is a place to insert at. */
export interface Patch {
  readonly span: Span;
  readonly text: string;
}

/**
 * Applies patches that do not overlap: `patchText('a b', [{span: {start: 2, end: 3}, text: 'c'}])` → `a c`. All that
 * is not patched stays as it was written, comments and white space included.
 */
export function patchText(text: string, patches: readonly Patch[]): string {
  const ordered = [...patches].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let at = 0;
  let result = '';
  for (const { span, text: replacement } of ordered) {
    if (span.start < at) throw new Error(`patches overlap at ${span.start}`);
    result += text.slice(at, span.start) + replacement;
    at = span.end;
  }
  return result + text.slice(at);
}

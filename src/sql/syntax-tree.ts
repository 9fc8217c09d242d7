/** Careful reading of the parser's untyped tree: objects with one capital key are variants, the rest are fields. */

/** An object of the tree. */
export type TreeNode = Readonly<Record<string, unknown>>;

export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field of a node, `undefined` when the value is no node or has no such field. */
export function field(value: unknown, name: string): unknown {
  return isTreeNode(value) ? value[name] : undefined;
}

/** The value as a list; anything else is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Name and content of an enum value: `{Select: {…}}` and the bare `"Natural"` alike. */
export function variantOf(value: unknown): { readonly name: string; readonly content: unknown } | undefined {
  if (typeof value === 'string') return { name: value, content: undefined };
  if (!isTreeNode(value)) return undefined;
  const keys = Object.keys(value);
  const name = keys[0];
  return keys.length === 1 && name !== undefined && isVariantName(name)
    ? { name, content: value[name] }
    : undefined;
}

export function isVariantName(key: string): boolean {
  return /^[A-Z]/.test(key);
}

/** True for nothing: null, false, an empty list, an absent field. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)
  );
}

/** A query node, wherever it stands: statement, subquery, body of a CTE. */
export function isQueryNode(value: unknown): value is TreeNode {
  return isTreeNode(value) && 'body' in value && 'limit_clause' in value;
}

/** A name as written, with the quote it was written in. */
export interface Identifier {
  readonly name: string;
  readonly quote: string | undefined;
  readonly node: TreeNode;
}

export function identifierOf(value: unknown): Identifier | undefined {
  if (!isTreeNode(value) || typeof value.value !== 'string') return undefined;
  const quote = typeof value.quote_style === 'string' ? value.quote_style : undefined;
  return { name: value.value, quote, node: value };
}

/** The parts of a dotted name; `undefined` when a part is not a plain name. */
export function nameParts(value: unknown): readonly Identifier[] | undefined {
  const parts = listOf(value).map((part) => identifierOf(field(part, 'Identifier')));
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts : undefined;
}

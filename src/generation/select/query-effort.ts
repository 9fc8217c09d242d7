import { type SqlNode, type SqlTree, significantTokens } from '../../sql/index.ts';

/** ThothAI's weights (thoth.md, section 12). */
const WEIGHTS = {
  tokens: 1,
  joins: 5,
  subqueries: 10,
  where: 3,
  group: 4,
  order: 2,
  having: 6,
  functions: 2,
  tables: 2,
  nesting: 8,
} as const;

type Part = keyof typeof WEIGHTS;

/**
 * How much there is in a query, without unit: of two that give the same rows the lesser is taken. `nesting` is the depth of
 * the deepest subquery, all else are counts. Source: thoth.md, section 12, over our own tree.
 */
export function queryEffort(tree: SqlTree): number {
  const parts: Record<Part, number> = {
    ...{ tokens: significantTokens(tree.tokens).length, joins: 0, subqueries: 0, where: 0, group: 0 },
    ...{ order: 0, having: 0, functions: 0, tables: 0, nesting: 0 },
  };
  const depths: number[] = [];
  for (const node of tree.nodes) {
    const part = partOf(node);
    if (part !== undefined) parts[part] += 1;
    // Nodes come in preorder, so the parent has its depth already.
    const above = node.parent === undefined ? 0 : (depths[node.parent.id] ?? 0);
    const depth = above + (part === 'subqueries' ? 1 : 0);
    depths[node.id] = depth;
    parts.nesting = Math.max(parts.nesting, depth);
  }
  return Object.entries(WEIGHTS).reduce((sum, [part, weight]) => sum + weight * parts[part as Part], 0);
}

const BY_TYPE: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['Join', 'joins'],
  ['Where', 'where'],
  ['Group', 'group'],
  ['Order', 'order'],
  ['Having', 'having'],
  ['Table', 'tables'],
  ['Case', 'functions'],
  ['Cast', 'functions'],
  ['TryCast', 'functions'],
  ['Extract', 'functions'],
]);

const BRANCHES: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

function partOf(node: SqlNode): Part | undefined {
  if (node.type === 'Select') return isBelow(node) ? 'subqueries' : undefined;
  return BY_TYPE.get(node.type) ?? (node.flags.call === undefined ? undefined : 'functions');
}

/** Neither the whole query nor a branch of it. */
function isBelow(select: SqlNode): boolean {
  let above = select.parent;
  while (above !== undefined && BRANCHES.has(above.type)) above = above.parent;
  return above !== undefined;
}

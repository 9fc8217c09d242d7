/** The tree of a query, and how to walk it. */

export { ancestor, child, childrenIn, type SqlNode, type SqlTree, textOf, walk } from './node.ts';
export { REWRITTEN_LIMITS, type StatementLimits } from './statement-limits.ts';

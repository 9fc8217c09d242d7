/** How alike two queries are, part by part. */

export type { Edit, NodePair } from './difference.ts';
export type { Hardness } from './hardness.ts';
export { sameScalars } from './is-same-around.ts';
export { componentOverlap, components } from './similarity.ts';

/** The graph of all that is known, and what no longer fits the schema. */

export { buildKnowledgeGraph } from './build-knowledge-graph.ts';
export { findDrift } from './find-drift.ts';
export {
  factText,
  firstText,
  type GraphStats,
  type JoinEdge,
  type KnowledgeGraph,
} from './knowledge-graph.ts';

/** The grounded engine: readings of a question with no language model. */

export { hypothesise, readQuestion } from './hypothesise.ts';
export { buildKnowledge, type GroundedKnowledge } from './knowledge/knowledge.ts';
export { findApart } from './metric/frame/metric-hints.ts';
export { inContext } from './question/dialogue/in-context.ts';
export { rankByRetrieval } from './rank-by-retrieval.ts';

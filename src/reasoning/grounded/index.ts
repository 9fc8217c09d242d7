/** The grounded engine: readings of a question with no language model. */

export { hypothesise } from './hypothesise.ts';
export { buildKnowledge, type GroundedKnowledge } from './knowledge/knowledge.ts';
export { inContext } from './question/dialogue/in-context.ts';

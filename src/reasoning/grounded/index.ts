/** The grounded engine: readings of a question with no language model. */
export { inContext } from './dialogue/in-context.ts';
export { hypothesise } from './hypothesise.ts';
export { buildKnowledge, type GroundedKnowledge, type ValueLookup } from './knowledge.ts';

/** Queries in a form in which spelling does not matter. */

export { resolverFromScopes } from './normalise.ts';
export { operandsOf } from './query-nodes.ts';
export { relations } from './relations.ts';

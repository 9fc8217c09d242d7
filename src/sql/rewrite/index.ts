/** Patches of a text that is read again: filters, masks, bound values. */

export { bindProperties, bindSamples, type SessionProperties } from './bind-properties.ts';
export type { TableQueries } from './replace-tables.ts';
export { checkRestriction, FENCES, restrictTables, type TableRestriction } from './restrict-tables.ts';
export { type Patch, patchText } from './rewrite-result.ts';

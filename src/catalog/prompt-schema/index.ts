/** A schema as a model reads it. */

export { hasWholeList } from './column-facts.ts';
export { estimateTokens } from './estimate-tokens.ts';
export type { Annotations } from './render-annotated.ts';
export { renderSchema, type SchemaStyle } from './render-schema.ts';

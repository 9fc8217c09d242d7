/** What a statement may not do, beside the one verdict of `checkReadOnly`. */

export { checkDisguisedCalls, NO_SCHEMA } from './check-disguised-calls.ts';
export {
  type AllowedCode,
  allowListOf,
  findOwnCode,
  type OwnCode,
  type OwnThing,
  redefining,
  withoutAllowed,
} from './check-own-code.ts';
export { isSystemTableAnywhere, tableName } from './check-read-only.ts';
export { checkTokens } from './check-tokens.ts';
export { checkVisible } from './check-visible.ts';
export { READING } from './reading-dialects.ts';

/** Every change of a query that we know to make. */
import { AGGREGATE_ERRORS } from './kinds/aggregate-errors.ts';
import { CLAUSE_ERRORS } from './kinds/clause-errors.ts';
import { COLUMN_ERRORS } from './kinds/column-errors.ts';
import { CONDITION_ERRORS } from './kinds/condition-errors.ts';
import { EQUIVALENTS } from './kinds/equivalents.ts';
import { JOIN_ERRORS } from './kinds/join-errors.ts';
import { LITERAL_ERRORS } from './kinds/literal-errors.ts';
import { NAME_ERRORS } from './kinds/name-errors.ts';
import { RESPELLINGS } from './kinds/respellings.ts';
import type { ErrorName, HarmlessName, Mutation } from './site/mutation.ts';

export const ERRORS: readonly Mutation<ErrorName>[] = [
  ...COLUMN_ERRORS,
  ...NAME_ERRORS,
  ...JOIN_ERRORS,
  ...LITERAL_ERRORS,
  ...CONDITION_ERRORS,
  ...AGGREGATE_ERRORS,
  ...CLAUSE_ERRORS,
];

export const HARMLESS: readonly Mutation<HarmlessName>[] = [...RESPELLINGS, ...EQUIVALENTS];

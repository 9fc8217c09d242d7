/** Every rule by the type of node it translates. */
import type { Rules } from '../translation.ts';
import { CALL_RULES } from './calls.ts';
import { CAST_RULES } from './casts.ts';
import { PATH_RULES } from './colon-paths.ts';
import { CONDITION_RULES } from './conditions.ts';
import { LITERAL_RULES } from './literals.ts';
import { NAME_RULES } from './names.ts';
import { NUMBER_RULES } from './numbers.ts';
import { ORDER_RULES } from './orders.ts';
import { PATTERN_RULES } from './patterns.ts';
import { QUERY_RULES } from './queries.ts';
import { RELATION_RULES } from './relations.ts';
import { TEXT_RULES } from './texts.ts';

export const RULES: Rules = {
  ...NAME_RULES,
  ...LITERAL_RULES,
  ...NUMBER_RULES,
  ...TEXT_RULES,
  ...CAST_RULES,
  ...CONDITION_RULES,
  ...PATTERN_RULES,
  ...CALL_RULES,
  ...ORDER_RULES,
  ...QUERY_RULES,
  ...RELATION_RULES,
  ...PATH_RULES,
};

import type { Rule } from '../frame/cursor.ts';
import { between, compare, postfixCompare } from './conditions/compare.ts';
import { defined } from './conditions/defined.ts';
import { exactly } from './conditions/exactly.ts';
import { isNull, like, numberOrTime, value } from './conditions/filter.ts';
import { except, negate } from './conditions/negate.ts';
import { same } from './conditions/same.ts';
import { aggregate, quantile, running, spread } from './results/aggregate.ts';
import { count } from './results/count.ts';
import { group } from './results/group.ts';
import { order, orderFirst } from './results/order.ts';
import { conditionNoun, context, headCondition, headCount, project } from './results/project.ts';
import { share } from './results/share.ts';
import { spent } from './results/spent.ts';
import { structure } from './results/structure.ts';
import { superlative } from './results/superlative.ts';
import { wholeRow } from './results/whole-row.ts';

/** Every rule, in the order they are tried at each mention; the first that uses something wins. */
export const RULES: readonly Rule[] = [
  defined,
  orderFirst,
  order,
  wholeRow,
  spent,
  spread,
  share,
  quantile,
  running,
  aggregate,
  superlative,
  group,
  exactly,
  except,
  same,
  postfixCompare,
  between,
  compare,
  count,
  like,
  isNull,
  negate,
  value,
  headCount,
  numberOrTime,
  context,
  headCondition,
  project,
  conditionNoun,
  structure,
];

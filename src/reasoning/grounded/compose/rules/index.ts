import type { Rule } from '../cursor.ts';
import { aggregate } from './aggregate.ts';
import { between, compare, postfixCompare } from './compare.ts';
import { count } from './count.ts';
import { defined } from './defined.ts';
import { exactly } from './exactly.ts';
import { except } from './except.ts';
import { isNull, like, numberOrTime, value } from './filter.ts';
import { group } from './group.ts';
import { negate } from './negate.ts';
import { order } from './order.ts';
import { orderFirst } from './order-first.ts';
import { conditionNoun, context, headCondition, headCount, project } from './project.ts';
import { quantile } from './quantile.ts';
import { running } from './running.ts';
import { same } from './same.ts';
import { share } from './share.ts';
import { spent } from './spent.ts';
import { spread } from './spread.ts';
import { structure } from './structure.ts';
import { superlative } from './superlative.ts';
import { wholeRow } from './whole-row.ts';

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

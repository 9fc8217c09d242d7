import type { Predicate } from '../../../sql/index.ts';
import type { StatedCondition } from '../compose/frame.ts';
import { cause } from './column-expression.ts';

/** A condition that is bound already, with the words it is of. */
export function statedPredicate({ predicate, mention }: StatedCondition): Predicate {
  if (predicate.kind === 'and' || predicate.kind === 'or') return predicate;
  const from = mention.nouns.length === 0 ? 'hint: ' : '';
  return { ...predicate, cause: cause(mention, `${from}${mention.text}`) };
}

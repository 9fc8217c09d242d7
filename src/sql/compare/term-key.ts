/** A term of ORDER BY or GROUP BY; a number there stands for the item at that place. */
import type { SqlNode } from '../tree/node.ts';
import { isStar } from './is-star.ts';
import type { Keying } from './keying.ts';
import type { NamedItem } from './names.ts';
import { withoutBrackets } from './operands.ts';

export function termKey(keying: Keying, term: SqlNode, items: readonly NamedItem[]): string {
  const place = withoutBrackets(term);
  const isNumber = place.type === 'Literal' && place.flags.string === undefined;
  const index = isNumber ? Number(place.value) - 1 : -1;
  const item = Number.isInteger(index) ? items[index] : undefined;
  // A star before it stands for several columns, so that the count is off.
  const isCounted = item !== undefined && items.slice(0, index + 1).every(({ node }) => !isStar(node));
  return isCounted ? item.key : keying.keyOf(keying, term);
}

import type { Frame, OrderSlot } from '../compose/frame.ts';

/** Words that only say which end of an order is meant. */
const WHICH_END =
  /^(?:top|first|best|last|worst|highest|largest|biggest|greatest|most|lowest|smallest|fewest|least)$/i;
/** Words that take the order as it is. */
const AS_IT_IS = /^(?:top|first|best)$/i;

/** The order after a turn: "top 5 only" picks from the order that stands, or from the figures that are shown. */
export function editOrders(base: Frame, own: Frame): OrderSlot[] {
  const [picked] = own.orders;
  if (picked === undefined) return base.orders;
  const isPicking =
    own.limit !== undefined && picked.noun === undefined && WHICH_END.test(picked.mention.text);
  if (!isPicking) return own.orders;
  if (base.orders.length > 0)
    return AS_IT_IS.test(picked.mention.text)
      ? base.orders
      : base.orders.map((order) => ({ ...order, direction: picked.direction }));
  const figure = base.projections.find((item) => item.aggregate !== undefined);
  const counted = base.groups.length + base.grains.length > 0 ? base.projections[0] : undefined;
  if (figure === undefined && counted === undefined) return own.orders;
  const { aggregate = 'count', noun } = figure ?? {};
  const isCount = aggregate === 'count';
  return [{ ...picked, attributes: [], isCount, ...(isCount ? {} : { aggregate, noun }) }];
}

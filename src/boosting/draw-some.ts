/** Draws a share of the items, at least one, every subset of that size equally likely; both parts keep their order. */
export function drawSome(
  items: Int32Array,
  share: number,
  random: () => number,
): { readonly drawn: Int32Array; readonly rest: Int32Array } {
  const wanted = Math.max(1, Math.round(items.length * share));
  const drawn = new Int32Array(wanted);
  const rest = new Int32Array(items.length - wanted);
  if (rest.length === 0) drawn.set(items);
  else {
    let found = 0;
    // Selection sampling: each item with the share of places still open among the items still to come.
    for (let at = 0; at < items.length; at++)
      if (random() * (items.length - at) < wanted - found) drawn[found++] = items[at]!;
      else rest[at - found] = items[at]!;
  }
  return { drawn, rest };
}

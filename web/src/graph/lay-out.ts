import type { Graph } from '../api/contract.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  /** Where the name stands. */
  readonly side: 'left' | 'right' | 'below';
}

/** Of the drawing; the one in the middle stands at its centre. */
export const SIZE = { width: 1200, height: 820 };

/** Half axes of the two ellipses: so far apart that the names of the inner one end before the outer one. */
const INNER = { x: 170, y: 310 };
const OUTER = { x: 360, y: 370 };
/** Of the height of an ellipse, what is used: at its ends things would stand above each other. */
const USED = 0.95;

type Side = 'left' | 'right';

/**
 * Places of things on two ellipses around the one in the middle: those of one step inside, those of two outside, each on the
 * side and near the height of what leads to it. All of a side stand at heights of their own, with their names outwards, so
 * that no names meet. The same graph gives the same picture.
 */
export function layOut({ nodes, edges }: Graph): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const ringOf = (steps: number) => nodes.filter((node) => node.steps === steps).map(({ id }) => id);
  const { width, height } = SIZE;
  for (const id of ringOf(0)) places.set(id, { x: width / 2, y: height / 2, side: 'below' });
  const [inner, outer] = [ringOf(1), ringOf(2)];
  const half = Math.ceil(inner.length / 2);
  const ring = outer.length === 0 ? OUTER : INNER;
  set(inner.slice(0, half), 'right', { ring, places });
  // Upwards again, so that neighbours of the list stay neighbours.
  set(inner.slice(half).toReversed(), 'left', { ring, places });
  const led = outer.map((id) => ({ id, by: leading(id, edges, places) }));
  const byHeight = led.toSorted((one, other) => (one.by?.y ?? 0) - (other.by?.y ?? 0));
  const sides: Record<Side, string[]> = { left: [], right: [] };
  const most = Math.ceil(outer.length / 2) + 2;
  for (const { id, by } of byHeight) {
    const wanted = by?.side === 'left' ? 'left' : 'right';
    const other = wanted === 'left' ? 'right' : 'left';
    sides[sides[wanted].length < most ? wanted : other].push(id);
  }
  set(sides.left, 'left', { ring: OUTER, places });
  set(sides.right, 'right', { ring: OUTER, places });
  return places;
}

function leading(id: string, edges: Graph['edges'], places: ReadonlyMap<string, Place>): Place | undefined {
  for (const { from, to } of edges) {
    const other = from === id ? to : to === id ? from : undefined;
    const place = other === undefined ? undefined : places.get(other);
    if (place !== undefined && place.side !== 'below') return place;
  }
  return undefined;
}

function set(
  ids: readonly string[],
  side: Side,
  { ring, places }: { readonly ring: typeof INNER; readonly places: Map<string, Place> },
): void {
  for (const [at, id] of ids.entries()) {
    // From -1 at the top to 1 at the bottom; one alone stands in the middle.
    const height = ids.length === 1 ? 0 : ((at / (ids.length - 1)) * 2 - 1) * USED;
    const across = Math.sqrt(1 - height ** 2) * ring.x;
    places.set(id, {
      x: Math.round(SIZE.width / 2 + (side === 'right' ? across : -across)),
      y: Math.round(SIZE.height / 2 + height * ring.y),
      side,
    });
  }
}

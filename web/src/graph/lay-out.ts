import type { Graph } from '../api/contract.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Of the drawing; the one in the middle stands at its centre. */
export const SIZE = { width: 1000, height: 760 };

const NEAR = 0.5;
const FAR = 0.9;
/** As many names stand beside each other on one ring without touching. */
const ON_A_RING = 12;
/** How far the rings of one step lie apart. */
const STAGGER = 0.13;

/**
 * Places of things on rings around the one in the middle: those of one step on the inner ones, those of two outside, each near
 * the thing that leads to it. The same graph gives the same picture.
 */
export function layOut({ nodes, edges }: Graph): ReadonlyMap<string, Place> {
  const angles = new Map<string, number>();
  const places = new Map<string, Place>();
  const ringOf = (steps: number) => nodes.filter((node) => node.steps === steps).map(({ id }) => id);
  for (const id of ringOf(0)) places.set(id, placeAt(0, 0));
  const parentAngle = (id: string): number => {
    for (const { from, to } of edges) {
      const other = from === id ? to : to === id ? from : undefined;
      const angle = other === undefined ? undefined : angles.get(other);
      if (angle !== undefined) return angle;
    }
    return 0;
  };
  const set = (ids: readonly string[], radius: number): void => {
    const rings = Math.ceil(ids.length / ON_A_RING);
    const angled = ids.map((id, at): [string, number] => [id, (at / ids.length) * 2 * Math.PI]);
    angled.forEach(([id, angle], at) => {
      places.set(id, placeAt(angle, radius + ((at % rings) - (rings - 1) / 2) * STAGGER));
    });
    for (const [id, angle] of angled) angles.set(id, angle);
  };
  const outer = ringOf(2);
  set(ringOf(1), outer.length === 0 ? 0.72 : NEAR);
  set(
    outer
      .map((id): [string, number] => [id, parentAngle(id)])
      .toSorted(([, one], [, other]) => one - other)
      .map(([id]) => id),
    FAR,
  );
  return places;
}

function placeAt(angle: number, radius: number): Place {
  const { width, height } = SIZE;
  return {
    x: Math.round(width / 2 + Math.sin(angle) * radius * (width / 2 - 60)),
    y: Math.round(height / 2 - Math.cos(angle) * radius * (height / 2 - 40)),
  };
}

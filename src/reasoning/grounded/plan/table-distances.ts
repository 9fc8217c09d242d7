/** Tables whose distances to all others are kept: two bytes a table each. */
const MAX_KEPT = 500;

/** Joins on the shortest way between two tables, -1 when there is none; each start is walked once and kept for a while. */
export function tableDistances(
  edges: ReadonlyMap<string, readonly { readonly to: string }[]>,
): (a: string, b: string) => number {
  const places = new Map([...edges.keys()].map((table, place) => [table, place]));
  const neighbours = [...edges.values()].map((list) =>
    Int32Array.from(new Set(list.flatMap((edge) => places.get(edge.to) ?? []))),
  );
  const kept = new Map<number, Int16Array>();
  const from = (start: number): Int16Array => {
    const known = kept.get(start);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const walked = walkFrom(start, neighbours);
    kept.set(start, walked);
    return walked;
  };
  return (a, b) => {
    const [start, end] = [places.get(a), places.get(b)];
    return start === undefined || end === undefined ? -1 : (from(start)[end] ?? -1);
  };
}

function walkFrom(start: number, neighbours: readonly Int32Array[]): Int16Array {
  const distance = new Int16Array(neighbours.length).fill(-1);
  const queue = new Int32Array(neighbours.length);
  distance[start] = 0;
  queue[0] = start;
  for (let head = 0, tail = 1; head < tail; head++) {
    const at = queue[head] ?? start;
    for (const to of neighbours[at] ?? []) {
      if (distance[to] !== -1) continue;
      distance[to] = (distance[at] ?? 0) + 1;
      queue[tail++] = to;
    }
  }
  return distance;
}

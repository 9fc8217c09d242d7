import { seededRandom } from '../../src/lib/seeded-random.ts';
import type { ComparedResult } from '../../src/results/index.ts';

export interface DensePair {
  readonly gold: ComparedResult;
  readonly predicted: ComparedResult;
  readonly cosines: readonly (readonly number[])[];
}

const WORDS = ['Kestrel', 'Vela', 'Halden', 'Midford', 'Verano', 'Sunport'];

/** Pairs of results of 1 to 100 rows and 1 to 8 columns, the predicted one the gold one with faults. */
export function densePairs(count: number, seed: number): readonly DensePair[] {
  const random = seededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const [width, height] = [1 + below(8), 1 + below(100)];
    const rows = Array.from({ length: height }, () =>
      Array.from({ length: width }, (_, column) =>
        column % 2 === 0 ? (WORDS[below(6)] ?? '') : 1 + below(10_000),
      ),
    );
    const names = Array.from({ length: width }, (_, column) => `c${column}`);
    const extra = below(3);
    const kept = rows
      .filter(() => random() < 0.9)
      .map((row) => [...row.toReversed(), ...Array(extra).fill(0)]);
    const given = [...names.toReversed(), ...Array.from({ length: extra }, (_, at) => `x${at}`)];
    const cosines = names.map((name) => given.map((other) => (name === other ? 0.9 : 0.5) + random() / 10));
    return { gold: { columns: names, rows }, predicted: { columns: given, rows: kept }, cosines };
  });
}

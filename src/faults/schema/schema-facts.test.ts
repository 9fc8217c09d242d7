import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestSchemaName } from './schema-facts.ts';

const NAMES = ['Artist', 'album', 'id', 'album_id', 'ID', 'track'];

/** name, the nearest, its distance, names within 2 */
const CASES: readonly (readonly [name: string, nearest: string, distance: number, within2: number])[] = [
  ['artist', 'Artist', 0, 1],
  ['ARTIST', 'Artist', 0, 1],
  ['artists', 'Artist', 1, 1],
  ['atrist', 'Artist', 2, 1],
  ['albun_id', 'album_id', 1, 1],
  ['ix', 'id', 1, 1],
  // Equally far from several: the first of the alphabet.
  ['', 'id', 2, 1],
  ['zzzzzzzz', 'album', 8, 0],
];

/** Wagner and Fischer's table, without short cuts. */
function levenshtein(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      table[row]![column] = Math.min(
        table[row - 1]![column - 1]! + cost,
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
      );
    }
  }
  return table[a.length]![b.length]!;
}

describe('nearestSchemaName', () => {
  it.each(CASES)('finds for %j the name %s', (name, nearest, distance, within2) => {
    expect(nearestSchemaName(NAMES)(name)).toEqual({ name: nearest, distance, within2 });
  });

  it('finds nothing in an empty schema', () => expect(nearestSchemaName([])('id')).toBeUndefined());

  it('compares the beginning of a name of any length', () => {
    const found = nearestSchemaName(['id'])('i'.repeat(1_000_000));
    expect(found).toEqual({ name: 'id', distance: 127, within2: 0 });
  });

  it('agrees with the plain table of distances', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), maxLength: 9 });
    const words = fc.array(word, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, word, (names, wanted) => {
        const distances = [...new Set(names)].map((name) => levenshtein(wanted, name));
        const found = nearestSchemaName(names)(wanted);
        expect(found?.distance).toBe(Math.min(...distances));
        expect(found?.within2).toBe(distances.filter((distance) => distance <= 2).length);
        expect(levenshtein(wanted, found?.name ?? '')).toBe(found?.distance);
      }),
    );
  });
});

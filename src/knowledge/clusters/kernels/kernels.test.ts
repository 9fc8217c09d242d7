import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, KernelSpace, PANEL } from './kernel-space.ts';
import { fillMatrix, readMatrix, takeMatrix, times, transposedTimes } from './panel-matrix.ts';
import { loadCells, takeWalkPlaces, thereAndBack, walkedSums, walkTask } from './sparse-cells.ts';

const BYTES = 4_000_000;

/** Whole numbers, so that the order of adding does not show. */
const cellOf = (seed: number) => (row: number, column: number) => ((row * 31 + column * 17 + seed) % 9) - 4;

describe('dense products', () => {
  it('are what the definition says, for any size', async () => {
    const shape = fc.record({
      height: fc.integer({ min: 1, max: 20 }).map((steps) => steps * PANEL),
      inner: fc.integer({ min: 1, max: 4 }),
      panels: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 0, max: 99 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ height, inner, panels, seed }) => {
        const space = new KernelSpace({ bytes: BYTES, workers: 0 });
        const a = takeMatrix(space, { height, panels: inner });
        const b = takeMatrix(space, { height: inner * PANEL, panels });
        const out = takeMatrix(space, { height, panels });
        const back = takeMatrix(space, { height: inner * PANEL, panels });
        const [left, right] = [cellOf(seed), cellOf(seed + 3)];
        fillMatrix(space, a, left);
        fillMatrix(space, b, right);
        await times(space, { out, a, b });
        await transposedTimes(space, { out: back, a, b: out });
        const [columns, terms] = [panels * PANEL, inner * PANEL];
        const product = (row: number, column: number): number =>
          sum(terms, (at) => left(row, at) * right(at, column));
        expect([...readMatrix(space, out, { rows: height, columns })]).toEqual(
          table(height, columns, product),
        );
        const found = readMatrix(space, back, { rows: terms, columns });
        for (const [row, column] of [
          [0, 0],
          [terms - 1, columns - 1],
        ] as const)
          expect(found[row * columns + column]).toBe(
            sum(height, (at) => left(at, row) * product(at, column)),
          );
      }),
      { numRuns: 20 },
    );
  });
});

describe('the walk over the cells', () => {
  const cells = {
    starts: Int32Array.of(0, 2, 2, 5),
    columns: Int32Array.of(0, 2, 0, 1, 2),
    values: Float64Array.of(3, 6, 9, 3, 3),
  };
  /** With the means 4, 1 and 3. */
  const dense = [
    [3, 0, 6],
    [0, 0, 0],
    [9, 3, 3],
  ].map((row) => row.map((value, user) => value - ([4, 1, 3][user] ?? 0)));
  const part = (user: number, column: number): number => (user < 3 ? ((user + 2 * column) % 5) / 4 - 0.5 : 0);
  const unmixed = (row: number, column: number): number =>
    sum(3, (user) => (dense[row]?.[user] ?? 0) * part(user, column));

  it.each([
    ['rows as they are', false, (value: number) => value],
    ['rows sent through tanh', true, Math.tanh],
  ] as const)('gives %s, and back to the users', async (_, bends, change) => {
    const space = new KernelSpace({ bytes: BYTES, workers: 0 });
    const loaded = loadCells(space, cells, 3);
    const walk = takeWalkPlaces(space, loaded, 2);
    const [from, into] = [0, 1].map(() => takeMatrix(space, { height: loaded.height, panels: 2 }));
    if (from === undefined || into === undefined) throw new RangeError('two were taken');
    fillMatrix(space, from, part);
    const slopes = await thereAndBack(space, loaded, walk, {
      from: from.address,
      into: into.address,
      bends,
    });
    const found = readMatrix(space, into, { rows: 3, columns: 20 });
    for (let user = 0; user < 3; user += 1)
      for (let column = 0; column < 20; column += 1)
        expect(found[user * 20 + column]).toBeCloseTo(
          sum(3, (row) => (dense[row]?.[user] ?? 0) * change(unmixed(row, column))),
          5,
        );
    if (bends)
      expect(slopes[17]).toBeCloseTo(
        sum(3, (row) => 1 - Math.tanh(unmixed(row, 17)) ** 2),
        5,
      );
    const out = space.take(3 * PANEL * 4);
    await space.run([walkTask(loaded, walk, { panel: 0, part: from.address, out })]);
    expect(space.floatsAt(out, 48)[2 * PANEL + 5]).toBeCloseTo(unmixed(2, 5), 5);
    expect(walkedSums(space, loaded, walk).rows[5]).toBeCloseTo(
      sum(3, (row) => unmixed(row, 5)),
      5,
    );
  });

  it('bends as tanh does, to some ten-millionths', async () => {
    const space = new KernelSpace({ bytes: BYTES, workers: 0 });
    const rows = 400;
    const wave = Float64Array.from({ length: rows }, (_, row) => (row - rows / 2) / 20);
    const loaded = loadCells(
      space,
      {
        starts: Int32Array.from({ length: rows + 1 }, (_, at) => at),
        columns: new Int32Array(rows),
        values: wave,
      },
      1,
    );
    const walk = takeWalkPlaces(space, loaded, 1);
    const one = takeMatrix(space, { height: loaded.height, panels: 1 });
    fillMatrix(space, one, (row) => (row === 0 ? 1 : 0));
    const out = space.take(rows * PANEL * 4);
    await space.run([walkTask(loaded, walk, { panel: 0, part: one.address, out, bends: true })]);
    const mean = wave.reduce((total, value) => total + value, 0) / rows;
    for (const [row, value] of wave.entries())
      expect(
        Math.abs(space.floatsAt(out, rows * PANEL)[row * PANEL]! - Math.tanh(value - mean)),
      ).toBeLessThan(4e-7);
  });
});

describe('assemble', () => {
  it.each([
    '(func $a (i64.const 1))',
    '(func $a (local.get $b))',
    '(func $a',
    ')',
    '(func $a (br_if $x (i32.const 1)))',
  ])('refuses %s', (text) => {
    expect(() => assemble(text)).toThrow(RangeError);
  });
});

function sum(count: number, term: (at: number) => number): number {
  return Array.from({ length: count }, (_, at) => term(at)).reduce((total, value) => total + value, 0);
}

function table(rows: number, columns: number, cell: (row: number, column: number) => number): number[] {
  return Array.from({ length: rows * columns }, (_, at) => cell(Math.floor(at / columns), at % columns));
}

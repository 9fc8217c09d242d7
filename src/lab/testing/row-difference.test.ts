import { expect, it } from 'vitest';
import { differRows } from './row-difference.ts';

const result = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]) => ({
  columns,
  rows,
});

it('lays columns side by side by what they hold, and counts rows as a bag', () => {
  const difference = differRows(
    result(
      ['city', 'n'],
      [
        ['Lyon', 3],
        ['Paris', 2],
        ['Paris', 2],
      ],
    ),
    result(
      ['count', 'town'],
      [
        [3, 'Lyon'],
        [2, 'Paris'],
        [1, 'Nice'],
      ],
    ),
  );
  expect(difference).toEqual({
    expected: { rows: 3, columns: 2 },
    actual: { rows: 3, columns: 2 },
    columns: ['town', 'count'],
    missing: { count: 1, rows: [['Paris', 2]] },
    extra: { count: 1, rows: [['Nice', 1]] },
  });
});

it('says where another order begins', () => {
  const rows = [['a'], ['b'], ['c']];
  const other = [['a'], ['c'], ['b']];
  expect(differRows(result(['x'], rows), result(['x'], other))).toMatchObject({
    missing: { count: 0 },
    extra: { count: 0 },
    outOfOrderFrom: 2,
  });
});

it('shows the first five of many, and everything where the widths differ', () => {
  const many = Array.from({ length: 8 }, (_, at) => [at]);
  const difference = differRows(result(['n'], many), result(['n', 'm'], [[1, 1]]));
  expect(difference.missing).toMatchObject({ count: 8, rows: [[0], [1], [2], [3], [4]] });
  expect(difference.extra).toEqual({ count: 1, rows: [[1, 1]] });
  expect(difference).not.toHaveProperty('outOfOrderFrom');
});

it('takes numbers within the tolerance as the same', () => {
  const { missing } = differRows(result(['n'], [[100.5], [7]]), result(['n'], [[100.6], [8]]), 0.01);
  expect(missing.rows).toEqual([[7]]);
});

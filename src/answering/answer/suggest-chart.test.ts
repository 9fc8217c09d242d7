import { expect, it } from 'vitest';
import { suggestChart } from './build-answer.ts';

it('draws exact decimals, which come as text, as the figures they are', () => {
  const rows = [
    ['Lyon', '100.00'],
    ['Paris', '0.50'],
    ['Nice', 3],
  ];
  expect(suggestChart('fitting', { columns: ['city', 'total'], rows })).toEqual({
    chart: { kind: 'bar', x: 'city', y: ['total'] },
  });
});

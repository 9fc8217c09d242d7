import { expect, it } from 'vitest';
import { bestGold, type GoldSet } from './best-gold.ts';

const gold = (tables: string, fields: string | null): GoldSet => ({
  tables: new Set(tables.split(' ')),
  fields: fields === null ? null : new Set(fields.split(' ')),
});
const A = gold('a b', 'a.x b.y');
const B = gold('a', 'a.x a.z');
const C = gold('c', null);

it.each([
  ['the only one', [A], 'c', 'c.x', A],
  ['the one with more of its tables', [A, B], 'a', 'a.x', B],
  ['of equal tables the one with more of its columns', [A, B], 'a b', 'a.x a.z', B],
  ['the first where they are equal', [A, B], 'a b', 'a.x', A],
  ['one without columns by its tables', [A, C], 'c', 'c.x', C],
  ['the first where nothing fits', [A, B, C], 'd', 'd.x', A],
] as const)('takes %s', (_, golds, tables, fields, best) => {
  const [first, ...others] = golds;
  const came = { tables: new Set(tables.split(' ')), fields: new Set(fields.split(' ')) };
  expect(bestGold([first, ...others], came)).toBe(best);
});

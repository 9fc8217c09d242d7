import { describe, expect, it } from 'vitest';
import { comparingReadings } from './same-sql.ts';

const PER_COUNTRY = 'SELECT c.country, AVG(i.total) FROM invoices i JOIN customers c ON i.customer = c.id';

describe('comparingReadings', () => {
  it.each<[boolean, string, string]>([
    [true, 'SELECT name FROM artists', 'select name\nFROM artists;'],
    [
      true,
      `${PER_COUNTRY} GROUP BY c.country`,
      `${PER_COUNTRY.replace('c.country, AVG(i.total)', 'AVG(i.total), c.country')} GROUP BY c.country`,
    ],
    [
      true,
      'SELECT COUNT(*) AS n FROM artists a WHERE a.age > 3 AND a.id = 1',
      'SELECT COUNT(*) FROM artists WHERE id = 1 AND age > 3',
    ],
    [false, 'SELECT name FROM artists', 'SELECT DISTINCT name FROM artists'],
    [false, "SELECT name FROM artists WHERE name = 'X'", "SELECT name FROM artists WHERE name = 'x'"],
    [
      false,
      'SELECT name FROM artists ORDER BY age LIMIT 1',
      'SELECT name FROM artists ORDER BY age DESC LIMIT 1',
    ],
    [false, `${PER_COUNTRY} GROUP BY c.country`, `${PER_COUNTRY.replace('AVG', 'SUM')} GROUP BY c.country`],
    [false, 'no query', 'none either'],
    [true, 'no query', 'NO  query'],
  ])('%s: %s | %s', (isSame, one, other) => expect(comparingReadings('sqlite')(one, other)).toBe(isSame));
});

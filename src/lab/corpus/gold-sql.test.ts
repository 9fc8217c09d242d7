import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTerminalEnvironment } from '../../config/index.ts';
import { gradeHardness, hasTopLevelOrder } from './read-spider.ts';
import { resolvePlaces } from './suite-places.ts';

describe('hasTopLevelOrder', () => {
  it.each([
    { sql: 'SELECT a FROM t ORDER BY a', wanted: true },
    { sql: 'SELECT a FROM t order\n  by a DESC LIMIT 1', wanted: true },
    { sql: 'SELECT a FROM t UNION SELECT b FROM u ORDER BY 1', wanted: true },
    { sql: 'SELECT a FROM t WHERE a = (SELECT b FROM u ORDER BY b LIMIT 1)', wanted: false },
    { sql: 'SELECT row_number() OVER (ORDER BY a) FROM t', wanted: false },
    { sql: "SELECT a FROM t WHERE b = 'order by'", wanted: false },
    { sql: 'SELECT "order" FROM t -- order by a', wanted: false },
  ])('$wanted for $sql', ({ sql, wanted }) => {
    expect(hasTopLevelOrder(sql)).toBe(wanted);
  });
});

describe('gradeHardness', () => {
  it.each([
    { sql: 'SELECT count(*) FROM t', wanted: 'easy' },
    { sql: "SELECT a FROM t WHERE b = 'x, y or z'", wanted: 'easy' },
    // One component, two columns: medium.
    { sql: 'SELECT a, b FROM t ORDER BY a', wanted: 'medium' },
    { sql: 'SELECT t.a FROM t JOIN u ON t.id = u.id WHERE u.b = 1', wanted: 'medium' },
    { sql: 'SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)', wanted: 'hard' },
    // Join, group, order, limit are four components.
    {
      sql: 'SELECT t.a FROM t JOIN u ON t.id = u.id GROUP BY t.a ORDER BY count(*) DESC LIMIT 1',
      wanted: 'extra',
    },
  ])('$wanted for $sql', ({ sql, wanted }) => {
    expect(gradeHardness(sql)).toBe(wanted);
  });

  const { dataDirectory } = resolvePlaces({ dataDirectory: readTerminalEnvironment().dataDirectory });
  it('gives the published counts on all of Spider dev', async (context) => {
    const text = await readFile(join(dataDirectory, 'spider', 'dev.json'), 'utf8').catch(() => null);
    if (text === null) return context.skip('no Spider data here');
    const rows: { query: string }[] = JSON.parse(text);
    const counts = { easy: 0, medium: 0, hard: 0, extra: 0 };
    for (const { query } of rows) counts[gradeHardness(query)] += 1;
    expect(counts).toEqual({ easy: 248, medium: 446, hard: 174, extra: 166 });
  });
});

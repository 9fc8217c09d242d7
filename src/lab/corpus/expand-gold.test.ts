import { describe, expect, it } from 'vitest';
import { expandGold } from './read-suite.ts';

describe('expandGold', () => {
  it.each<{ what: string; text: string; queries: readonly string[] }>([
    { what: 'one query', text: 'SELECT 1;', queries: ['SELECT 1'] },
    { what: 'several queries', text: 'SELECT 1; SELECT 2;', queries: ['SELECT 1', 'SELECT 2'] },
    {
      what: 'columns of which any may be given',
      text: 'SELECT {name, id}, age FROM t;',
      queries: ['SELECT name, id, age FROM t', 'SELECT name, age FROM t', 'SELECT id, age FROM t'],
    },
    {
      what: 'a grouping by the chosen columns',
      text: 'SELECT {t.a,t.b}, COUNT(*) FROM t GROUP BY {} ORDER BY 2',
      queries: [
        'SELECT t.a, t.b, COUNT(*) FROM t GROUP BY t.a, t.b ORDER BY 2',
        'SELECT t.a, COUNT(*) FROM t GROUP BY t.a ORDER BY 2',
        'SELECT t.b, COUNT(*) FROM t GROUP BY t.b ORDER BY 2',
      ],
    },
  ])('expands $what', ({ text, queries }) => expect(expandGold(text)).toEqual(queries));
});

import { expect, it } from 'vitest';
import { TWO_TABLES as catalog } from '../../../test/fixtures/linking/two-tables.ts';
import { goldRecall } from './evaluate-case.ts';

const JOINED = 'SELECT t.a FROM t JOIN u ON t.a = u.a';
const ALONE = 'SELECT a FROM t WHERE b = 1';

it.each([
  ['the same', JOINED, [JOINED], { tables: 1, columns: 1 }],
  ['half of the tables', 'SELECT a FROM t', [JOINED], { tables: 0.5, columns: 0.5 }],
  ['the nearest of several', 'SELECT a FROM t', [JOINED, ALONE], { tables: 1, columns: 0.5 }],
  ['no column where none is needed', 'SELECT COUNT(*) FROM t', ['SELECT COUNT(*) FROM t'], { tables: 1 }],
  ['nothing without a query', undefined, [JOINED], { tables: 0, columns: 0 }],
  ['nothing of what cannot be read', 'SELECT FROM', [JOINED], { tables: 0, columns: 0 }],
  [
    'those that can be read',
    'SELECT a FROM t',
    ['SELECT gone FROM t', 'SELECT a FROM t'],
    { tables: 1, columns: 1 },
  ],
  ['no figure where none can be read', 'SELECT a FROM t', ['SELECT gone FROM t'], undefined],
] as const)('recalls %s', (_, sql, golds, recall) => {
  expect(goldRecall(sql, golds, catalog)).toEqual(recall);
});

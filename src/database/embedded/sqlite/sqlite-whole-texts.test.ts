import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../connect/connect.ts';
import type { Database } from '../../interface/database.ts';

const LIMITS = { rows: 100, bytes: 1_000_000, timeoutMs: 10_000 };
const folder = mkdtempSync(join(tmpdir(), 'candor-nul-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A text as SQL that makes it of its code points: the driver cuts what it binds as well. */
const written = (text: string): string =>
  text === '' ? "''" : `char(${[...text].map((sign) => sign.codePointAt(0)).join(', ')})`;

describe.each(['UTF-8', 'UTF-16le', 'UTF-16be'])('texts with a NUL in a file of %s', (encoding) => {
  let database: Database;
  beforeAll(async () => {
    const path = join(folder, `${encoding}.db`);
    const file = new DatabaseSync(path);
    file.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
      INSERT INTO t VALUES (1, 'ab' || char(0) || 'cd', x'6100'), (2, char(0), 1.5), (3, 'plain', NULL), (4, 'Zoë' || char(0), '')`);
    file.close();
    database = await connect(`sqlite:${path}`);
  });
  afterAll(() => database?.close());

  it('come whole, and everything else as it is', async () => {
    const { columns, rows } = await database.query('SELECT id, a, b FROM t ORDER BY id DESC;', LIMITS);
    expect(columns).toEqual(['id', 'a', 'b']);
    expect(rows).toEqual([
      [4, 'Zoë\0', ''],
      [3, 'plain', null],
      [2, '\0', 1.5],
      [1, 'ab\0cd', new Uint8Array([97, 0])],
    ]);
  });

  it('come whole whatever they are', async () => {
    const text = fc.array(fc.constantFrom('\0', 'a', 'é', '東', '🚗', "'", '\uFEFF'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, async (signs) => {
        const whole = signs.join('');
        expect((await database.query(`SELECT ${written(whole)}`, LIMITS)).rows).toEqual([[whole]]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      'VALUES (1, 2), (3, 4)',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['SELECT a FROM t UNION ALL SELECT id FROM t LIMIT 2', [['ab\0cd'], ['\0']]],
    ['WITH q (x) AS (SELECT id FROM t) SELECT x, x FROM q ORDER BY 1 DESC LIMIT 1 -- the last', [[4, 4]]],
    ['SELECT group_concat(id) FROM (SELECT id FROM t ORDER BY id DESC)', [['4,3,2,1']]],
    ['SELECT id, (SELECT COUNT(*) FROM t) FROM t ORDER BY -id LIMIT 1 OFFSET 1 /* open', [[3, 4]]],
  ])('%s', async (sql, rows) => expect((await database.query(sql, LIMITS)).rows).toEqual(rows));
});

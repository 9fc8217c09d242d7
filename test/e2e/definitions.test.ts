/** What the semantic model of Motors defines, held against its own golds and against golds with a definition broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareSchemaFacts } from '../../src/faults/index.ts';
import { readSuite } from '../../src/lab/corpus/index.ts';
import type { Session } from '../../src/session/project/session.ts';
import { diagnoseSql } from '../../src/validation/index.ts';
import { openSuite, SUITE_CACHE } from './open-suite.ts';

let folder: string;
let session: Session;
const golds: { readonly question: string; readonly sql: string }[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candor-definitions-'));
  const open = await openSuite('motors', folder);
  if (open === null) throw new Error('Motors is made here');
  ({ session } = open);
  const { cases } = await readSuite('motors', { cacheDirectory: SUITE_CACHE });
  for (const { question, expect: due } of cases)
    if (due.kind === 'answered') golds.push(...[due.sql].flat().map((sql) => ({ question, sql })));
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

/** In sentences, without asking the engine. */
async function brokenIn(sql: string, question: string): Promise<readonly string[]> {
  const { catalog, semantics } = session;
  const definitions = { semantics, question };
  const { problems } = await diagnoseSql(sql, { schema: prepareSchemaFacts(catalog), definitions });
  return problems.flatMap(({ kind, text }) => (kind === 'definition' ? [text] : []));
}

it('no gold breaks one', async () => {
  expect(golds.length).toBeGreaterThan(25);
  for (const { question, sql } of golds) expect(await brokenIn(sql, question), question).toEqual([]);
});

it('each gold whose default condition is taken out is named', async () => {
  let changed = 0;
  for (const { question, sql } of golds) {
    const without = sql.replace(/(\w+)\.is_deleted = 0 AND /, '').replace(/ AND (\w+)\.is_deleted = 0/, '');
    if (without === sql) continue;
    changed += 1;
    expect(await brokenIn(without, question), without).toContainEqual(
      expect.stringContaining('is_deleted = 0'),
    );
  }
  expect(changed).toBeGreaterThanOrEqual(20);
});

describe('a definition that is broken', () => {
  it.each([
    [
      'the time of a metric',
      'How many orders did we sign in March 2024?',
      "SELECT COUNT(DISTINCT order_id) FROM orders WHERE is_deleted = 0 AND delivered_on >= '2024-03-01'",
      'orders.signed_on',
    ],
    [
      'a condition of a metric',
      'how many dealers are there?',
      'SELECT COUNT(DISTINCT dealer_id) FROM dealers',
      'dealers.closed_on',
    ],
    [
      'a stored value',
      'How many orders of electric cars in 2024?',
      "SELECT COUNT(*) FROM orders o JOIN models m ON m.model_id = o.model_id WHERE o.is_deleted = 0 AND m.energy_type = 1 AND o.signed_on >= '2024-01-01'",
      'models.energy_type',
    ],
  ])('is named: %s', async (_, question, sql, said) => {
    expect(await brokenIn(sql, question)).toContainEqual(expect.stringContaining(said));
  });

  it('is none where a dealer is listed and not counted', async () => {
    const sql =
      'SELECT d.dealer_name, SUM(o.amount) FROM orders o JOIN dealers d ON d.dealer_id = o.dealer_id WHERE o.is_deleted = 0 AND o.delivered_on IS NOT NULL GROUP BY d.dealer_id';
    expect(await brokenIn(sql, 'revenue of the best dealers')).toEqual([]);
  });
});

/** The gold queries of the large question sets: that data and queries belong together. */
import { describe, expect, it } from 'vitest';
import { readTerminalEnvironment } from '../../src/config/index.ts';
import { readSuite } from '../../src/lab/corpus/index.ts';
import { expectGoldFindsRows } from '../fixtures/gold-finds-rows.ts';

describe.each([
  ['everyday', 362],
  ['everyday-held-out', 360],
  ['everyday-2', 826],
])('the questions of %s', (name, count) => {
  it('have gold queries that find rows, each in its database', async (context) => {
    const { dataDirectory } = readTerminalEnvironment();
    const suite = await readSuite(name, dataDirectory === undefined ? {} : { dataDirectory }).catch(
      (error: { code?: string }) => {
        if (error.code === 'eval.data-missing') return null;
        throw error;
      },
    );
    if (suite === null) return context.skip('the Spider data set is not here');
    expect(suite.policy).toBe('answer');
    expect(suite.excluded.cases).toBe(0);
    expect(new Set(suite.cases.map(({ id }) => id)).size).toBe(suite.cases.length);
    expect(suite.cases.length).toBe(count);
    for (const url of new Set(suite.cases.map(({ databaseUrl }) => databaseUrl)))
      await expectGoldFindsRows({
        ...suite,
        // Some of these databases are large: every fourth query is enough to see that data and queries belong together.
        cases: suite.cases.filter(({ databaseUrl, index }) => databaseUrl === url && index % 4 === 0),
      });
  }, 120_000);
});

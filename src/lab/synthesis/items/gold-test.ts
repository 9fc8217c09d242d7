import type { QueryResult } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { compareResults } from '../../evaluation/comparators/index.ts';
import { type QuerySetting, runQuery } from '../../evaluation/comparators/run-query.ts';
import type { BenchItem } from './bench-item.ts';

/** Tells whether a result has the rows of a gold; without a result it has not. Throws `bench.other-project`. */
export type GoldTest = (predicted: QueryResult | undefined) => Promise<boolean>;

/**
 * The test of one item: its golds run once each, and no later one than is needed. One that fails makes the item
 * broken, not the result wrong.
 */
export function goldTest(
  { id, gold, otherGolds = [] }: Pick<BenchItem, 'id' | 'gold' | 'otherGolds'>,
  setting: QuerySetting,
): GoldTest {
  const golds = [gold, ...otherGolds];
  const results: QueryResult[] = [];
  const resultAt = async (place: number, sql: string): Promise<QueryResult> => {
    const known = results[place];
    if (known !== undefined) return known;
    const ran = await runQuery(sql, setting);
    if (!ran.ok)
      throw new CandorError('bench.other-project', `The gold of ${id} fails: ${ran.error.message}`);
    results[place] = ran.result;
    return ran.result;
  };
  return async (predicted) => {
    for (const [place, sql] of golds.entries()) {
      const right = await resultAt(place, sql);
      if (predicted === undefined) return false;
      const verdict = compareResults(right, predicted, { policy: 'answer', orderMatters: false });
      if (verdict === 'equal') return true;
    }
    return false;
  };
}

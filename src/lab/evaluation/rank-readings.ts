import type { QueryResult } from '../../database/index.ts';
import type { Gold } from './gold.ts';
import { type QuerySetting, runQuery } from './run-query.ts';

/** Readings with a result of their own that are looked at: as many as a person is offered. */
export const MOST_READINGS = 4;

/**
 * The place of the first reading that gives the gold result, from 1, counting only readings whose result no earlier
 * one has; those that give none are passed over. Undefined where none of the first four is right.
 */
export async function rankReadings(
  readings: readonly string[],
  gold: Gold,
  setting: QuerySetting,
): Promise<number | undefined> {
  const seen: QueryResult[] = [];
  for (const sql of readings) {
    const ran = await runQuery(sql, setting);
    if (!ran.ok) continue;
    if (gold.judge(ran.result) === 'equal') return seen.length + 1;
    if (seen.some((earlier) => gold.compare(earlier, ran.result) === 'equal')) continue;
    seen.push(ran.result);
    if (seen.length === MOST_READINGS) return undefined;
  }
  return undefined;
}

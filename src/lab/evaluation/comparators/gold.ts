/** The results that are right for a case. */
import type { QueryResult } from '../../../database/index.ts';
import type { ComparisonPolicy, Expected } from '../../corpus/index.ts';
import { compareResults, orderedColumn, type Verdict } from './index.ts';
import { type Failed, type QuerySetting, runQuery } from './run-query.ts';

export type ExpectedAnswer = Extract<Expected, { readonly kind: 'answered' }>;

export interface Gold {
  readonly ok: true;
  /** How two results of this case are compared. */
  readonly compare: (gold: QueryResult, other: QueryResult) => Verdict;
  /** Compares with every result that is right: equal to one of them is enough. */
  readonly judge: (predicted: QueryResult) => Verdict;
}

/** Runs the gold queries; it fails as the first of them does when none gives a result. */
export async function runGold(
  { sql, alternatives = [], orderMatters }: ExpectedAnswer,
  setting: QuerySetting & { readonly policy: ComparisonPolicy },
): Promise<Gold | Failed> {
  const first = await runQuery(sql, setting);
  const others = [];
  for (const other of alternatives) others.push({ text: other, ran: await runQuery(other, setting) });
  const results = [{ text: sql, ran: first }, ...others].flatMap(({ text, ran }) =>
    ran.ok ? [{ text, result: ran.result }] : [],
  );
  if (!first.ok && results.length === 0) return first;
  const compare = (gold: QueryResult, other: QueryResult): Verdict =>
    compareResults(gold, other, { policy: setting.policy, orderMatters });
  return {
    ok: true,
    compare,
    judge(predicted) {
      const verdicts = results.map(({ text, result }) =>
        compareResults(result, predicted, {
          policy: setting.policy,
          orderMatters,
          // Only defog's rule leaves ties where they are.
          ...(setting.policy === 'defog' && { orderedColumn: orderedColumn(text, result.columns) }),
        }),
      );
      return verdicts.find((verdict) => verdict === 'equal') ?? verdicts.at(0) ?? 'different';
    },
  };
}

/** What people would take for the gold result, whichever of several queries it is of. */
export interface AnyGold {
  readonly ok: true;
  readonly isRight: (predicted: QueryResult) => boolean;
}

/**
 * Runs every query that is right; it fails as the first of them does when none gives a result. Equal is what the policy `answer` or
 * `defog` calls so: columns may be permuted, there may be more of them, and their order alone never counts.
 */
export async function runAnyGold(
  queries: readonly string[],
  setting: QuerySetting,
): Promise<AnyGold | Failed> {
  const ran = [];
  for (const sql of queries) ran.push(await runQuery(sql, setting));
  const results = ran.flatMap((one) => (one.ok ? [one.result] : []));
  const failed = ran.find((one) => !one.ok);
  if (results.length === 0 && failed !== undefined && !failed.ok) return failed;
  return {
    ok: true,
    isRight: (predicted) =>
      results.some((gold) =>
        (['answer', 'defog'] as const).some(
          (policy) => compareResults(gold, predicted, { policy, orderMatters: false }) === 'equal',
        ),
      ),
  };
}

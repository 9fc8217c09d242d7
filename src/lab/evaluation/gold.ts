/** The results that are right for a case. */
import type { QueryResult } from '../../database/index.ts';
import type { ComparisonPolicy, Expected } from '../corpus/index.ts';
import { compareResults, orderedColumn, type Verdict } from './comparators/index.ts';
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

/** The reward of many outputs at once, without a server: means by category. */

import { scoreAll, WorkLine } from '../endpoint/score-all.ts';
import { parseScoreItem } from '../endpoint/score-contract.ts';
import type { RewardCategory } from '../formula/compute-reward.ts';
import type { ItemScore, Scorer } from '../scorer/open-scorer.ts';
import type { ScoreItem } from '../scorer/virtual-schema.ts';

export interface ScoreRowsOptions {
  readonly scorer: Scorer;
  /** Items scored at once. */
  readonly concurrency: number;
  /** How messages call the file. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Hears the scores in the order of the rows. */
  readonly onScores?: (scores: readonly ItemScore[], done: number) => Promise<void> | void;
}

/** Means over items; `total` and its parts before they are weighted. */
export interface RewardMeans {
  readonly items: number;
  readonly total: number;
  readonly format: number;
  readonly grammar: number;
  readonly length: number;
  readonly accuracy: number;
}

export interface RewardReport {
  readonly all: RewardMeans;
  /** In the order in which they first came. */
  readonly categories: readonly (RewardMeans & { readonly category: RewardCategory })[];
  /** Items whose gold gave no result, so that they could not earn what results are worth. */
  readonly goldFailed: number;
  /** Items whose length was estimated. */
  readonly lengthEstimated: number;
}

/** Items that are in memory at once. */
const CHUNK = 256;

/** Scores rows of JSON; empty ones are passed over. Throws `reward.invalid-request` with the place of a wrong one. */
export async function scoreRows(
  lines: AsyncIterable<string>,
  { scorer, concurrency, name, signal, onScores }: ScoreRowsOptions,
): Promise<RewardReport> {
  const line = new WorkLine(concurrency, CHUNK);
  const sums = new Map<RewardCategory, Sum>();
  const counts = { goldFailed: 0, lengthEstimated: 0, done: 0 };
  const flush = async (items: readonly ScoreItem[]): Promise<void> => {
    const scores = await scoreAll(items, { scorer, line, signal });
    for (const [at, score] of scores.entries()) {
      const category = items[at]?.category;
      if (category !== undefined) sums.set(category, add(sums.get(category), score));
      if (score.detail.goldError !== undefined) counts.goldFailed += 1;
      if (score.detail.areTokensEstimated) counts.lengthEstimated += 1;
    }
    counts.done += scores.length;
    await onScores?.(scores, counts.done);
  };
  let [row, chunk] = [0, [] as ScoreItem[]];
  for await (const text of lines) {
    row += 1;
    if (text.trim() === '') continue;
    chunk.push(parseScoreItem(text, `${name}, line ${row}`));
    if (chunk.length < CHUNK) continue;
    await flush(chunk);
    chunk = [];
  }
  if (chunk.length > 0) await flush(chunk);
  return {
    all: meansOf([...sums.values()].reduce(join, NOTHING)),
    categories: [...sums].map(([category, sum]) => ({ category, ...meansOf(sum) })),
    goldFailed: counts.goldFailed,
    lengthEstimated: counts.lengthEstimated,
  };
}

type Sum = RewardMeans;

const NOTHING: Sum = { items: 0, total: 0, format: 0, grammar: 0, length: 0, accuracy: 0 };

function add(sum: Sum = NOTHING, { total, format, grammar, length, accuracy }: ItemScore): Sum {
  return join(sum, { items: 1, total, format, grammar, length, accuracy });
}

function join(a: Sum, b: Sum): Sum {
  return {
    items: a.items + b.items,
    total: a.total + b.total,
    format: a.format + b.format,
    grammar: a.grammar + b.grammar,
    length: a.length + b.length,
    accuracy: a.accuracy + b.accuracy,
  };
}

function meansOf({ items, ...sum }: Sum): RewardMeans {
  const mean = (value: number): number => (items === 0 ? 0 : value / items);
  return {
    items,
    total: mean(sum.total),
    format: mean(sum.format),
    grammar: mean(sum.grammar),
    length: mean(sum.length),
    accuracy: mean(sum.accuracy),
  };
}

import {
  type AskedModels,
  makeCandidates,
  type QueryTraits,
  readAsked,
  readingFeatures,
} from '../../reasoning/index.ts';
import type { SampledRows } from '../stacking/sampled-rows.ts';
import type { TrainingItem } from './training-set.ts';

/** A question with its candidates, as rows and whether they are right. */
export interface JudgedQuestion {
  readonly fold: number;
  readonly rows: readonly Float32Array[];
  readonly right: readonly boolean[];
  /** Right by the rows of this database alone: its query asks something else, so nothing is learned from it. */
  readonly isByChance: readonly boolean[];
}

/** The candidates of a question with what their queries give; null where there are none, or nothing to judge them by. */
export async function judgeQuestion(
  item: TrainingItem,
  models: AskedModels,
  fold: number,
): Promise<JudgedQuestion | null> {
  const candidates = makeCandidates(item.question);
  if (candidates.length === 0 || !(await item.hasGold())) return null;
  const rows = readingFeatures(candidates, item.question, readAsked(item.question, models));
  const right: boolean[] = [];
  for (const { sql } of candidates) right.push(await item.isRight(sql));
  const isByChance = candidates.map(
    ({ traits, draft }, at) => right[at] === true && draft.revisions.length > 0 && differs(traits, item.gold),
  );
  return { fold, rows, right, isByChance };
}

/** A query of other values than the gold query, though its rows are equal. */
function differs(traits: QueryTraits, gold: QueryTraits): boolean {
  return valuesOf(traits) !== valuesOf(gold);
}

function valuesOf({ literals }: QueryTraits): string {
  const texts = literals.filter(({ operator }) => operator !== 'limit').map(({ text }) => text);
  return JSON.stringify([...new Set(texts)].sort());
}

/** Questions with many right candidates, and those with none, weigh less. */
export function addRows(rows: SampledRows, { fold, rows: own, right, isByChance }: JudgedQuestion): void {
  const count = right.filter((each, at) => each && isByChance[at] === false).length;
  const weight = count === 0 ? 0.5 : 1;
  for (const [at, row] of own.entries()) {
    if (isByChance[at] === true) continue;
    const isRight = right[at] === true;
    rows.add(row, isRight, { fold, weight: isRight ? 2 / Math.sqrt(count) : 0.5 * weight });
  }
}

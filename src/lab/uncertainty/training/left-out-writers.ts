/** How well queries are judged whose writer, and whose database, was left out of what the forest of queries has learned from. */
import { applyIsotonic, fitIsotonic } from '../../../uncertainty/index.ts';
import { auc } from '../../metrics/auc.ts';
import { ece } from '../../metrics/reliability.ts';
import type { LabelledNodes, RowQuery } from '../data/node-rows.ts';
import {
  dealFolds,
  fitQueries,
  readQueryRows,
  type ScoredQueries,
  scoreQueries,
  type TrainedUncertainty,
} from './train-uncertainty.ts';

export interface LeftOutOptions {
  readonly folds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((stage: string, done: number, of: number) => void) | undefined;
}

/** With fewer judged queries nothing is said of a writer. */
const LEAST_QUERIES = 300;
const MOST_WRITERS = 6;

/**
 * Figures by name, of the writers with the most queries. The scores of nodes are those of folds by database: they learn which part is
 * wrong, not who wrote it. The forest of queries and its calibration know neither the writer nor the database.
 */
export async function leftOutWriters(
  rows: LabelledNodes,
  { codes, heldOut }: Pick<TrainedUncertainty, 'codes' | 'heldOut'>,
  { folds, signal, onProgress }: LeftOutOptions,
): Promise<Readonly<Record<string, number>>> {
  const { queries, nodeLogOdds } = heldOut;
  const all = readQueryRows(rows, queries, nodeLogOdds, codes);
  const places = new Map(queries.map((query, at) => [query, at]));
  const pick = (some: readonly RowQuery[]) => ({
    ...all,
    rows: some.map((query) => all.rows[places.get(query) ?? -1] ?? new Float64Array()),
  });
  const dealt = dealFolds(queries, folds);
  const figures: Record<string, number> = {};
  const writers = writersWithMost(heldOut);
  for (const [at, writer] of writers.entries()) {
    onProgress?.('writers left out', at, writers.length);
    const isOf = (query: RowQuery): boolean => query.writers?.includes(writer) === true;
    const judged: { readonly query: RowQuery; readonly score: number }[] = [];
    for (const { inside, outside } of dealt) {
      const learned = outside.filter((query) => !isOf(query));
      const wrong = learned.map(({ isRight }) => (isRight === undefined ? undefined : !isRight));
      const model = await fitQueries(pick(learned), wrong, { signal });
      const asked = inside.filter(({ tag, isRight }) => tag === 'predicted alone' && isRight !== undefined);
      const scores = scoreQueries(model, pick(asked));
      judged.push(...asked.map((query, place) => ({ query, score: scores[place] ?? 0 })));
    }
    const own = judged.filter(({ query }) => isOf(query));
    const others = judged.filter(({ query }) => !isOf(query));
    const map = fitIsotonic({ scores: others.map(({ score }) => score), labels: labelsOf(others) });
    const labels = labelsOf(own);
    figures[`query AUC, without ${writer}`] = rounded(
      auc(
        own.map(({ score }) => score),
        labels,
      ),
    );
    const risks = own.map(({ score }) => applyIsotonic(map, score));
    figures[`query ECE, without ${writer}`] = rounded(ece({ scores: risks, labels }));
  }
  return figures;
}

function writersWithMost({ queries }: ScoredQueries): readonly string[] {
  const counts = new Map<string, number>();
  for (const { tag, writers = [] } of queries)
    if (tag === 'predicted alone')
      for (const writer of writers) counts.set(writer, (counts.get(writer) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= LEAST_QUERIES)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_WRITERS)
    .map(([writer]) => writer);
}

function labelsOf(rows: readonly { readonly query: RowQuery }[]): readonly number[] {
  return rows.map(({ query }) => Number(query.isRight === false));
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

/** The sets of real queries, by name. */
import { createRandom } from '../../src/demo/motors/random.ts';
import { drawSome } from '../draw-some.ts';
import type { CoreQuery, QuerySet } from './query-set.ts';
import { readBirdDev, readBirdTrain } from './read-bird-gold.ts';
import { readDefog } from './read-defog.ts';
import { readPredictions } from './read-predictions.ts';
import { readSpiderGold } from './read-spider-gold.ts';
import { readSpider2Snow } from './read-spider2-snow.ts';

const READERS = {
  'spider-dev': (data: string) => readSpiderGold('spider-dev', data),
  'spider-train': (data: string) => readSpiderGold('spider-train', data),
  'bird-dev': (data: string) => readBirdDev('bird-dev', data),
  'bird-train': readBirdTrain,
  'mini-sqlite': (data: string) => readBirdDev('mini-sqlite', data),
  'mini-mysql': (data: string) => readBirdDev('mini-mysql', data),
  'mini-postgres': (data: string) => readBirdDev('mini-postgres', data),
  'spider2-snow': readSpider2Snow,
  'defog-sqlite': (data: string) => readDefog('sqlite', data),
  'defog-mysql': (data: string) => readDefog('mysql', data),
  'defog-postgres': (data: string) => readDefog('postgres', data),
  'defog-bigquery': (data: string) => readDefog('bigquery', data),
  'defog-snowflake': (data: string) => readDefog('snowflake', data),
  'preds-bird': (data: string) => readPredictions('preds-bird', data),
  'preds-spider': (data: string) => readPredictions('preds-spider', data),
} satisfies Record<string, (dataDirectory: string) => Promise<QuerySet>>;

export type SetName = keyof typeof READERS;

export const SET_NAMES = Object.keys(READERS) as readonly SetName[];

export interface ReadQueriesOptions {
  readonly dataDirectory: string;
  /** Larger sets give a sample of this size, the same for the same seed. */
  readonly limit: number;
  readonly seed: number;
}

/** Each different query of a set once, with the schemas these queries need. */
export async function readQueries(name: SetName, options: ReadQueriesOptions): Promise<QuerySet> {
  const { queries, schemas } = await READERS[name](options.dataDirectory);
  const different = [
    ...new Map(queries.map((query) => [`${query.databaseId}\n${query.sql}`, query])).values(),
  ];
  const drawn = drawSample(different, options);
  const used = new Set(drawn.map((query) => query.databaseId));
  return { queries: drawn, schemas: schemas.filter(({ databaseId }) => used.has(databaseId)) };
}

/** In the order of the set, so that neighbours share their database. */
function drawSample(
  queries: readonly CoreQuery[],
  { limit, seed }: ReadQueriesOptions,
): readonly CoreQuery[] {
  if (queries.length <= limit) return queries;
  const places = drawSome(
    createRandom(seed),
    queries.map((_, index) => index),
    limit,
  );
  return places.sort((left, right) => left - right).map((index) => queries[index]!);
}

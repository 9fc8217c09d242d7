import type { Catalog } from '../../src/catalog/index.ts';
import type { SchemaFacts } from '../../src/faults/index.ts';
import { type ReadQuery, readQuery } from '../../src/faults/reading/index.ts';
import type { SchemaOpinion } from '../../src/reasoning/grounded/linking/index.ts';
import type { FeatureSources } from '../../src/uncertainty/features/feature.ts';
import { prepareQuestion } from '../../src/uncertainty/index.ts';

/** One query whose parts are to be judged, with what a pipeline would have at that moment. */
export interface JudgedQuery {
  readonly sql: string;
  readonly question: string;
  readonly hint: string;
  readonly catalog: Catalog;
  /** Made once for a database. */
  readonly facts: SchemaFacts;
  readonly opinion: SchemaOpinion;
  /** The other candidates, read. */
  readonly others: readonly ReadQuery[];
  /** 1 for every node that is wrong. */
  readonly labels: Uint8Array;
}

/** Read and asked anew, so that nothing is remembered from the last time. */
export function freshSources({ sql, question, hint, catalog, facts, opinion, others }: JudgedQuery): {
  readonly query: ReadQuery;
  readonly sources: FeatureSources;
} {
  const read = readQuery(sql, catalog.dialect, catalog);
  if (!read.ok) throw new Error(`${read.because}: ${sql}`);
  const asked = prepareQuestion({ text: question, hint }, catalog, opinion);
  return { query: read.query, sources: { schema: facts, asked, others } };
}

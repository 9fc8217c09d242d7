import { type CertainFault, certainFaults, type QueryRead, readQuery } from './faults/index.ts';
import type { Scoring } from './open-scoring.ts';
import type { Session } from './session.ts';
import { type AskedQuestion, type Assessment, addFaults, assessQuery } from './uncertainty/index.ts';

/** A query as it was read, how likely it is wrong, and what is certainly wrong with it. */
export interface JudgedQuery {
  readonly read: QueryRead;
  readonly assessment: Assessment;
  readonly faults: readonly CertainFault[];
}

/** `asked` is absent where nobody knows the question. */
export function judgeQuery(
  sql: string,
  { catalog }: Pick<Session, 'catalog'>,
  { schema, model }: Pick<Scoring, 'schema' | 'model'>,
  asked: AskedQuestion | undefined,
): JudgedQuery {
  const read = readQuery(sql, catalog.dialect, catalog);
  const assessed = assessQuery(read, sql, { schema, ...(asked && { asked }) }, model);
  if (!read.ok) return { read, assessment: assessed, faults: [] };
  const faults = certainFaults(read.query, schema);
  return { read, assessment: addFaults(assessed, faults, read.query), faults };
}

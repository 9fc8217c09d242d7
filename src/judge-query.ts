import { type CertainFault, certainFaults, type QueryRead, readQuery } from './faults/index.ts';
import type { Scoring } from './open-scoring.ts';
import type { Session } from './session.ts';
import {
  type AskedQuestion,
  type Assessment,
  addFaults,
  assessQuery,
  riskWithWriter,
  type WriterOpinion,
} from './uncertainty/index.ts';

/** A query as it was read, how likely it is wrong, and what is certainly wrong with it. */
export interface JudgedQuery {
  readonly read: QueryRead;
  readonly assessment: Assessment;
  readonly faults: readonly CertainFault[];
  /** The risk of the SQL alone, where its writer has been heard as well. */
  readonly sqlRisk?: number;
}

/** `asked` is absent where nobody knows the question, `opinion` where the built-in engine did not write it. */
export function judgeQuery(
  sql: string,
  { catalog }: Pick<Session, 'catalog'>,
  { schema, model, writer }: Pick<Scoring, 'schema' | 'model' | 'writer'>,
  asked: AskedQuestion | undefined,
  opinion?: WriterOpinion,
): JudgedQuery {
  const read = readQuery(sql, catalog.dialect, catalog);
  const alone = assessQuery(read, sql, { schema, ...(asked && { asked }) }, model);
  const isHeard = opinion !== undefined && writer !== undefined;
  const assessed = isHeard ? riskWithWriter(alone, opinion, writer.weights) : alone;
  if (!read.ok) return { read, assessment: assessed, faults: [] };
  const faults = certainFaults(read.query, schema);
  const assessment = addFaults(assessed, faults, read.query);
  return { read, assessment, faults, ...(isHeard && { sqlRisk: alone.queryRisk }) };
}

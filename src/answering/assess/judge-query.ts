/** How likely a query is wrong, computed in one place for answers, reviews and the choice among candidates. */
import { type CertainFault, certainFaults } from '../../faults/index.ts';
import { type QueryRead, type ReadQuery, readQuery } from '../../faults/reading/index.ts';
import type { Scoring, Session } from '../../session/index.ts';
import {
  type AskedQuestion,
  type Assessment,
  addFaults,
  assessQuery,
  boundParts,
  decidingFault,
  likeThis,
  type RiskBasis,
  raiseForDefinitions,
  riskWithWriter,
  type WriterOpinion,
} from '../../uncertainty/index.ts';
import { findBrokenDefinitions } from '../../validation/index.ts';

/** A query as it was read, how likely it is wrong, and what is certainly wrong with it. */
export interface JudgedQuery {
  readonly read: QueryRead;
  /** Undefined where it could not be read. */
  readonly query: ReadQuery | undefined;
  readonly assessment: Assessment;
  readonly faults: readonly CertainFault[];
  /** Definitions of people that it does not keep to, in words. */
  readonly broken: readonly string[];
  /** The risk of the SQL alone, where its writer has been heard as well. */
  readonly sqlRisk?: number;
  /** Of the writer itself, where it has been heard. */
  readonly engineProbability?: number;
  /** Absent where the figure is no measured one. */
  readonly basis?: RiskBasis;
}

export interface Judging {
  /** Absent where nobody knows the question. */
  readonly asked?: AskedQuestion | undefined;
  /** Of the built-in engine, where it wrote the query. */
  readonly opinion?: WriterOpinion | undefined;
  /** The question that definitions are held against, `''` for those that hold for every question; absent: a person meant it so. */
  readonly held?: string | undefined;
}

/**
 * One after another: what the trained model says of the text, what the writer adds, what checks are certain of, what people have defined.
 * No part is likelier wrong than the whole. What does not parse has a risk of 1.
 */
export function judgeQuery(
  sql: string,
  { catalog, semantics }: Pick<Session, 'catalog' | 'semantics'>,
  scoring: Pick<Scoring, 'schema' | 'model' | 'writer'>,
  { asked, opinion, held }: Judging,
): JudgedQuery {
  const { schema, model, writer } = scoring;
  const read = readQuery(sql, catalog.dialect, catalog);
  const alone = assessQuery(read, sql, { schema, ...(asked && { asked }) }, model);
  const heard = opinion === undefined ? undefined : writer;
  const both = opinion && heard ? riskWithWriter(alone, opinion, heard.weights) : alone;
  const parts = opinion && heard ? { sqlRisk: alone.queryRisk, engineProbability: opinion.probability } : {};
  if (!read.ok)
    return { read, query: undefined, assessment: boundParts(both), faults: [], broken: [], ...parts };
  const { query } = read;
  const faults = certainFaults(query, schema);
  const problems =
    held === undefined ? [] : findBrokenDefinitions(query, schema, { semantics, question: held });
  const broken = problems.map(({ text }) => text);
  const assessment = boundParts(raiseForDefinitions(addFaults(both, faults, query), broken));
  const basis =
    broken.length > 0
      ? undefined
      : (decidingFault(faults) ?? likeThis(heard?.measured ?? model.curve, both.queryRisk));
  return { read, query, assessment, faults, broken, ...parts, ...(basis && { basis }) };
}

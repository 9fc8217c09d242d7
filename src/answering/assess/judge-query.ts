/** How likely a query is wrong, computed in one place for answers, reviews and the choice among candidates. */
import type { AnswerRisk } from '../../answer.ts';
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
  shiftRisk,
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
  /** What a label of it is kept with; absent where nobody knows who wrote the query. */
  readonly shipped?: NonNullable<AnswerRisk['shipped']>;
}

export interface Judging {
  /** Absent where nobody knows the question. */
  readonly asked?: AskedQuestion | undefined;
  /** Of the built-in engine, where it wrote the query. */
  readonly opinion?: WriterOpinion | undefined;
  /** Who wrote it, `BUILT_IN_WRITER` or the id of a model: labelled answers of theirs move the risk; absent: nobody knows. */
  readonly writtenBy?: string | undefined;
  /** The question that definitions are held against, `''` for those that hold for every question; absent: a person meant it so. */
  readonly held?: string | undefined;
}

/**
 * One after another: what the trained model says of the text, what the writer adds, what checks are certain of, what people have defined,
 * what became of such answers in this project. No part is likelier wrong than the whole. What does not parse has a risk of 1.
 */
export function judgeQuery(
  sql: string,
  { catalog, semantics }: Pick<Session, 'catalog' | 'semantics'>,
  scoring: Pick<Scoring, 'schema' | 'model' | 'writer' | 'modelId' | 'project'>,
  { asked, opinion, held, writtenBy }: Judging,
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
  const raised = raiseForDefinitions(addFaults(both, faults, query), broken);
  const own = writtenBy === undefined ? undefined : scoring.project.get(writtenBy);
  const risk = raised.queryRisk;
  const queryRisk = own?.shift === undefined ? risk : shiftRisk(risk, own.shift);
  const assessment = boundParts({ ...raised, queryRisk });
  const like = own?.measured ?? heard?.measured ?? model.curve;
  const basis =
    broken.length > 0
      ? undefined
      : (decidingFault(faults) ?? {
          ...likeThis(like, both.queryRisk),
          ...(own?.measured && { own: own.measured.own }),
        });
  const shipped = writtenBy === undefined ? undefined : { risk, writer: writtenBy, model: scoring.modelId };
  return {
    ...{ read, query, assessment, faults, broken, ...parts },
    ...(basis && { basis }),
    ...(shipped && { shipped }),
  };
}

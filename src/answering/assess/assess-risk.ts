/** The stage between the checks and the engine: how likely the chosen SQL is wrong, and what follows from it. */
import type { AnswerRisk, Evidence } from '../../answer.ts';
import { CandorError, type ErrorStage } from '../../errors.ts';
import { type RuleRepair, repairByRules } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { Candidate } from '../../generation/index.ts';
import type { Scoring, Session } from '../../session/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import {
  type Assessment,
  checkRepair,
  decideByRisk,
  partsToLookAt,
  type RiskPromise,
  repairOrder,
  type UnitRisk,
  type WriterOpinion,
} from '../../uncertainty/index.ts';
import { validateSql } from '../../validation/index.ts';
import { type JudgedQuery, judgeQuery } from './judge-query.ts';

/** What fails of the trained model itself, or of its file. */
const OF_THE_MODEL: ReadonlySet<ErrorStage> = new Set(['uncertainty', 'boosting']);

export interface ScoreRequest {
  readonly question: string;
  readonly hint?: string;
  /** Share of answers that may be wrong; undefined: none is withheld. */
  readonly targetRisk: number | undefined;
  /** Of the built-in engine, where it wrote the candidate. */
  readonly opinion?: WriterOpinion;
  /** Who wrote the candidate, `BUILT_IN_WRITER` or the id of a model; absent: nobody knows, and no label of the project speaks for it. */
  readonly writtenBy?: string;
  /** A person has verified the query: what it breaks is meant so. */
  readonly isVerified?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type ScoredAnswer =
  | {
      readonly kind: 'scored';
      readonly risk: AnswerRisk;
      /** Other than the one given where rules have repaired it. */
      readonly candidate: Candidate;
    }
  | { readonly kind: 'withheld'; readonly reason: string }
  /** Nothing can be said, and nothing was asked of it. */
  | { readonly kind: 'unassessed'; readonly because: string };

/** Parts of the SQL that an answer lists. */
const MOST_UNITS = 5;
/** Without a target, a warning is said where wrong is likelier than right. */
const WARNED_FROM = 0.5;

/**
 * Assesses the chosen candidate. With a target risk, what is too risky is repaired by rules or withheld. A model that
 * cannot be opened costs no answer unless a target was set: then it throws `uncertainty.*`, `boosting.*`.
 */
export async function assessAnswer(
  candidate: Candidate,
  session: Pick<Session, 'catalog' | 'database' | 'scoring' | 'semantics'>,
  request: ScoreRequest,
): Promise<ScoredAnswer> {
  const scoring = await openIfAble(session, request);
  if ('because' in scoring) return scoring;
  const asked = scoring.prepare(request.question, request.hint);
  const { opinion, writtenBy } = request;
  const held = request.isVerified === true ? undefined : request.question;
  const judged = judgeQuery(candidate.sql, session, scoring, { asked, opinion, held, writtenBy });
  const { assessment, query } = judged;
  if (request.targetRisk === undefined || query === undefined) {
    const action = assessment.queryRisk > WARNED_FROM ? 'warn' : 'answer';
    if (query === undefined && request.targetRisk !== undefined)
      return { kind: 'withheld', reason: unread(assessment) };
    return { kind: 'scored', risk: riskOf(judged, action), candidate };
  }
  const repair = repairByRules(query, scoring.schema);
  const { targetRisk } = request;
  const curve =
    scoring.project.get(writtenBy ?? '')?.curve ??
    (judged.sqlRisk === undefined ? scoring.curve : scoring.writer?.curve);
  const decision = decideByRisk({
    ...judged,
    ...(curve && { curve }),
    targetRisk,
    canRepair: repair !== undefined,
  });
  if (decision.action === 'answer' || decision.action === 'warn')
    return {
      kind: 'scored',
      risk: riskOf(judged, judged.broken.length > 0 ? 'warn' : decision.action, decision.promise),
      candidate,
    };
  if (decision.action === 'repair' && repair !== undefined) {
    // What rules have changed the engine did not write.
    const after = judgeQuery(repair.query.tree.text, session, scoring, { asked, held });
    const again = decideByRisk({ ...after, curve: scoring.curve, targetRisk, canRepair: false });
    const isAccepted = await accepts(repair, { before: judged, query, after }, { session, scoring, request });
    if (isAccepted && (again.action === 'answer' || again.action === 'warn'))
      return {
        kind: 'scored',
        risk: riskOf(after, again.action, again.promise),
        candidate: repaired(candidate, repair),
      };
  }
  return { kind: 'withheld', reason: reasonOf(decision.reason, assessment) };
}

async function openIfAble(
  session: Pick<Session, 'scoring'>,
  { targetRisk }: ScoreRequest,
): Promise<Scoring | Extract<ScoredAnswer, { kind: 'unassessed' }>> {
  try {
    return await session.scoring();
  } catch (error) {
    const isOfTheModel = error instanceof CandorError && OF_THE_MODEL.has(error.stage);
    if (!isOfTheModel || targetRisk !== undefined) throw error;
    return { kind: 'unassessed', because: `${error.code}: ${error.message}` };
  }
}

async function accepts(
  repair: RuleRepair,
  {
    before,
    query,
    after,
  }: { readonly before: JudgedQuery; readonly query: ReadQuery; readonly after: JudgedQuery },
  {
    session: { catalog, database },
    scoring,
    request: { signal },
  }: {
    readonly session: Pick<Session, 'catalog' | 'database'>;
    readonly scoring: Scoring;
    readonly request: ScoreRequest;
  },
): Promise<boolean> {
  const { ok } = await validateSql(repair.query.tree.text, { catalog, database, ...(signal && { signal }) });
  return checkRepair({
    before: query,
    after: { ok: true, query: repair.query },
    order: repairOrder(before.assessment, { query, schema: scoring.schema }),
    assessmentBefore: before.assessment,
    assessmentAfter: after.assessment,
    checksOk: ok,
  }).isAccepted;
}

/** Evidence of parts that were changed is left out, that behind them moved along. */
function repaired(candidate: Candidate, { query, changes }: RuleRepair): Candidate {
  const moved = (evidence: Evidence): readonly Evidence[] => {
    const { sqlSpan } = evidence;
    if (changes.some(({ span }) => span.start < sqlSpan.end && sqlSpan.start < span.end)) return [];
    const shift = changes
      .filter(({ span }) => span.end <= sqlSpan.start)
      .reduce((sum, { span, text }) => sum + text.length - (span.end - span.start), 0);
    return [{ ...evidence, sqlSpan: { start: sqlSpan.start + shift, end: sqlSpan.end + shift } }];
  };
  return { ...candidate, sql: query.tree.text, evidence: candidate.evidence.flatMap(moved) };
}

function riskOf(
  { assessment, sqlRisk, engineProbability, basis, shipped }: JudgedQuery,
  action: AnswerRisk['action'],
  promise?: RiskPromise,
): AnswerRisk {
  const { queryRisk, unreadBecause } = assessment;
  // Who is warned is told where to look, however little stands out.
  const units = action === 'answer' ? assessment.units : partsToLookAt(assessment);
  return {
    queryRisk,
    ...(sqlRisk !== undefined && { sqlRisk }),
    ...(engineProbability !== undefined && { engineProbability }),
    ...(basis !== undefined && { basis }),
    ...(shipped !== undefined && { shipped }),
    ...(promise !== undefined && { promise }),
    action,
    units: units.slice(0, MOST_UNITS).map(({ kind, span, text, probability, reasons }) => ({
      kind,
      sqlSpan: spanOf(span),
      text,
      probability,
      reasons: reasons.map((reason) => reason.text),
    })),
    ...(unreadBecause !== undefined && { unreadBecause }),
  };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function unread({ unreadBecause = 'it has no nodes' }: Assessment): string {
  return `The query could not be looked at: ${unreadBecause}.`;
}

function reasonOf(decided: string, assessment: Assessment): string {
  const [weakest] = partsToLookAt(assessment);
  return `Too likely wrong: ${decided}.${weakest === undefined ? '' : ` Weakest part: ${named(weakest)}.`}`;
}

const LONGEST_NAMED = 80;

function named({ kind, text, probability, reasons: [first] }: UnitRisk): string {
  const flat = text.replace(/\s+/g, ' ');
  const short = flat.length > LONGEST_NAMED ? `${flat.slice(0, LONGEST_NAMED)}…` : flat;
  const why = first === undefined ? '' : `, ${first.text}`;
  return `${kind} ${short} (${Math.round(probability * 100)} %${why})`;
}

export interface RiskRequest {
  readonly question: string;
  readonly hint?: string | undefined;
}

/** Calibrated probability that SQL does not answer its question; undefined where no assessment can be opened. */
export async function assessQueryRisk(
  sql: string,
  session: Pick<Session, 'catalog' | 'scoring' | 'semantics'>,
  { question, hint }: RiskRequest,
): Promise<number | undefined> {
  try {
    const scoring = await session.scoring();
    const asked = scoring.prepare(question, hint);
    return judgeQuery(sql, session, scoring, { asked, held: question }).assessment.queryRisk;
  } catch (error) {
    // Of several candidates one is chosen without it; what the answer is worth is said where it is assessed.
    if (error instanceof CandorError && OF_THE_MODEL.has(error.stage)) return undefined;
    throw error;
  }
}

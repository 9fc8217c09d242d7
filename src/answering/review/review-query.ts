/** The way of `candor review`: any SQL to the parts of it that are likely wrong, and what to do with it. Nothing is run. */

import { type CertainFault, repairByRules } from '../../faults/index.ts';
import type { QueryRead, ReadQuery } from '../../faults/reading/index.ts';
import type { Scoring, Session } from '../../session/index.ts';
import { checkReadOnly, items } from '../../sql/index.ts';
import {
  type AskedQuestion,
  type Assessment,
  checkRepair,
  decideByRisk,
  type RepairVerdict,
  type RiskDecision,
  repairOrder,
} from '../../uncertainty/index.ts';
import { validateSql } from '../../validation/index.ts';
import { assessSql, type JudgedQuery } from '../assess/assess-risk.ts';

export interface ReviewOptions {
  /** Without one, only the query and the schema speak. */
  readonly question?: string;
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Share of answers that may be wrong, between 0 and 1; `DEFAULT_TARGET_RISK` unless given. */
  readonly targetRisk?: number;
  /** A repair by rules is looked for. */
  readonly repair?: boolean;
  readonly signal?: AbortSignal;
}

export interface Review {
  readonly sql: string;
  readonly assessment: Assessment;
  readonly faults: readonly CertainFault[];
  readonly decision: RiskDecision;
  /** Of the query before a repair: where it stops being SQL. */
  readonly stopsAt?: { readonly line: number; readonly column: number; readonly message: string };
  /** Why it does more than read, where it does: such a query is never run, whatever its risk. */
  readonly unsafe?: string;
  /** Only where one was asked for and rules knew one. */
  readonly repair?: Repair;
}

export interface Repair {
  readonly sql: string;
  readonly changes: readonly { readonly from: string; readonly to: string; readonly because: string }[];
  readonly verdict: RepairVerdict;
  readonly assessment: Assessment;
  /** What is done with the repaired query. */
  readonly decision: RiskDecision;
}

/** One wrong answer in ten. */
export const DEFAULT_TARGET_RISK = 0.1;

/**
 * Assesses a query that anybody wrote. What does not parse, or is too large, has a risk of 1. A repair is only offered
 * where it changes nothing but suspicious parts, passes all checks and lowers the risk; `verdict` says so or why not.
 * Throws what opening the model throws, and `database.*` where a repair is checked and the engine fails.
 */
export async function reviewQuery(
  sql: string,
  session: Pick<Session, 'catalog' | 'database' | 'scoring'>,
  options: ReviewOptions = {},
): Promise<Review> {
  const scoring = await session.scoring();
  const written = sql.trim();
  const { question, hint, targetRisk = DEFAULT_TARGET_RISK } = options;
  const asked = question === undefined ? undefined : scoring.prepare(question, hint);
  const before = assessSql(written, session, scoring, asked);
  const repair =
    options.repair === true ? await tryRepair(before, session, { scoring, asked }, options) : undefined;
  const { unsafe } = unsafeOf(before.read);
  const decided = decideByRisk({
    assessment: before.assessment,
    faults: before.faults,
    curve: scoring.curve,
    targetRisk,
    canRepair: repair?.verdict.isAccepted === true,
  });
  const decision: RiskDecision =
    unsafe === undefined
      ? decided
      : { ...decided, action: 'abstain', reason: `it would do more than read: ${unsafe}` };
  return {
    sql: written,
    // A model of queries has no opinion on what is none.
    assessment: unsafe === undefined ? before.assessment : unassessed(written),
    faults: before.faults,
    decision,
    ...stopOf(before.read),
    ...(unsafe !== undefined && { unsafe }),
    ...(repair !== undefined && { repair }),
  };
}

interface Asking {
  readonly scoring: Scoring;
  readonly asked: AskedQuestion | undefined;
}

async function tryRepair(
  { read, assessment }: JudgedQuery,
  session: Pick<Session, 'catalog' | 'database'>,
  asking: Asking,
  { targetRisk = DEFAULT_TARGET_RISK, signal }: ReviewOptions,
): Promise<Repair | undefined> {
  const { scoring, asked } = asking;
  const found = read.ok ? repairByRules(read.query, scoring.schema) : undefined;
  if (!read.ok || found === undefined) return undefined;
  const { text } = found.query.tree;
  const after = assessSql(text, session, asking.scoring, asking.asked);
  const linked = asked === undefined ? [] : expectedBeside(read.query, asked, session);
  const order = repairOrder(assessment, { query: read.query, schema: scoring.schema, linked });
  const { catalog, database } = session;
  const { ok } = await validateSql(text, { catalog, database, ...(signal && { signal }) });
  const verdict = checkRepair({
    before: read.query,
    after: after.read,
    order,
    assessmentBefore: assessment,
    assessmentAfter: after.assessment,
    checksOk: ok,
  });
  return {
    sql: text,
    changes: found.changes.map(({ span, text: to, because }) => ({
      from: read.query.tree.text.slice(span.start, span.end),
      to,
      because,
    })),
    verdict,
    assessment: after.assessment,
    decision: decideByRisk({ ...after, curve: scoring.curve, targetRisk, canRepair: false }),
  };
}

/** A column or table that linking thinks is rather needed than not. */
const EXPECTED_FROM = 0.5;

/** Ids that linking expects and the query does not use, likeliest first. */
function expectedBeside(
  { tree }: ReadQuery,
  { likely, likelyTables }: AskedQuestion,
  { catalog }: Pick<Session, 'catalog'>,
): readonly string[] {
  const used = items(tree, catalog);
  const known = new Set([...used.tables, ...used.columns].map(({ id }) => id));
  return [...likelyTables, ...likely]
    .filter(({ id, probability }) => probability >= EXPECTED_FROM && !known.has(id))
    .sort((one, other) => other.probability - one.probability)
    .map(({ id }) => id);
}

function unassessed(sql: string): Assessment {
  return { sql, nodes: [], units: [], queryRisk: 1, unreadBecause: 'does more than read' };
}

function unsafeOf(read: QueryRead): { readonly unsafe?: string } {
  const verdict = read.ok ? checkReadOnly(read.query.tree) : undefined;
  return verdict?.readOnly === false ? { unsafe: verdict.reason } : {};
}

function stopOf(read: QueryRead): Pick<Review, 'stopsAt'> {
  if (read.ok || read.error === undefined) return {};
  const { line, column, message } = read.error;
  return { stopsAt: { line, column, message } };
}

/** The way of `candor review`: any SQL to the parts of it that are likely wrong, and what to do with it. Nothing is run. */

import type { UnusedWords } from '../../answer.ts';
import { type CertainFault, repairByRules } from '../../faults/index.ts';
import type { QueryRead, ReadQuery } from '../../faults/reading/index.ts';
import { nearestNames } from '../../language/index.ts';
import type { Scoring, Session } from '../../session/index.ts';
import { checkReadOnly, items } from '../../sql/index.ts';
import {
  type AskedQuestion,
  type Assessment,
  BUILT_IN_WRITER,
  checkRepair,
  decideByRisk,
  partsToLookAt,
  type RepairVerdict,
  type RiskBasis,
  type RiskDecision,
  type RiskThresholds,
  repairOrder,
  type UnitRisk,
} from '../../uncertainty/index.ts';
import { validateSql } from '../../validation/index.ts';
import { type JudgedQuery, type Judging, judgeQuery } from '../assess/judge-query.ts';
import { unusedWords, wordsOf } from '../assess/word-ledger.ts';

export interface ReviewOptions {
  /** Without one, only the query and the schema speak. */
  readonly question?: string;
  /** Outside knowledge given with the question. */
  readonly hint?: string;
  /** Share of answers that may be wrong, between 0 and 1; `DEFAULT_TARGET_RISK` unless given. */
  readonly targetRisk?: number;
  /** Who wrote it, by the id of a model that labels of this project know; absent: of those known, the one who is wrong most often. */
  readonly writer?: string;
  /** A repair by rules is looked for. */
  readonly repair?: boolean;
  readonly signal?: AbortSignal;
}

export interface Review {
  readonly sql: string;
  readonly assessment: Assessment;
  /** Its marks; of a query that is not answered at least one part, however little stands out. */
  readonly parts: readonly UnitRisk[];
  readonly faults: readonly CertainFault[];
  readonly decision: RiskDecision;
  /** Of queries like this one so many were wrong; absent where the figure is no measured one. */
  readonly basis?: RiskBasis;
  /** Definitions of the semantic model that it does not keep to. */
  readonly broken: readonly string[];
  /** Words of the question that no part of the query answers to; none without a question. */
  readonly unused: readonly UnusedWords[];
  /** The least target, in steps of a hundredth, at which the query would be answered without a warning; absent: none is. */
  readonly passesAt?: number;
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

type Reviewed = Pick<Session, 'catalog' | 'database' | 'scoring' | 'semantics' | 'clock'>;

/** One wrong answer in ten. */
export const DEFAULT_TARGET_RISK = 0.1;

/**
 * Assesses a query that anybody wrote. What does not parse, or is too large, has a risk of 1. A repair is only offered
 * where it changes nothing but suspicious parts, passes all checks and lowers the risk; `verdict` says so or why not.
 * Throws what opening the model throws, and `database.*` where a repair is checked and the engine fails.
 */
export async function reviewQuery(
  sql: string,
  session: Reviewed,
  options: ReviewOptions = {},
): Promise<Review> {
  const scoring = await session.scoring();
  const written = sql.trim();
  const { question, hint, targetRisk = DEFAULT_TARGET_RISK } = options;
  const asked = question === undefined ? undefined : scoring.prepare(question, hint);
  const writtenBy = options.writer ?? wrongestWriter(scoring);
  const judging = { asked, held: question ?? '', writtenBy };
  // A target is held against the labels of a writer that is named; nobody knows whether those of another would keep it.
  const curve = (options.writer && scoring.project.get(options.writer)?.curve) || scoring.curve;
  const before = judgeQuery(written, session, scoring, judging);
  const repair =
    options.repair === true
      ? await tryRepair(before, session, { scoring, asked, judging }, options)
      : undefined;
  const { unsafe } = unsafeOf(before.read);
  const decided = decideByRisk({
    assessment: before.assessment,
    faults: before.faults,
    curve,
    targetRisk,
    canRepair: repair?.verdict.isAccepted === true,
  });
  const decision: RiskDecision =
    unsafe === undefined
      ? decided
      : { ...decided, action: 'abstain', reason: `it is no query that only reads: ${unsafe}` };
  const words =
    question === undefined ? undefined : wordsOf(question, written, session, { now: session.clock(), hint });
  const passesAt = unsafe === undefined ? leastTarget(before, curve) : undefined;
  // A model of queries has no opinion on what is none.
  const assessment = unsafe === undefined ? before.assessment : unassessed(written);
  const said = cautious(decision, before.broken);
  return {
    sql: written,
    assessment,
    parts: said.action === 'answer' ? assessment.units : partsToLookAt(assessment),
    faults: before.faults,
    decision: said,
    ...(before.basis && { basis: before.basis }),
    broken: before.broken,
    unused: words === undefined ? [] : unusedWords(words),
    ...(passesAt !== undefined && { passesAt }),
    ...stopOf(before.read),
    ...(unsafe !== undefined && { unsafe }),
    ...(repair !== undefined && { repair }),
  };
}

/** What breaks a definition is never answered without a warning, whatever its risk. */
function cautious(decision: RiskDecision, [first]: readonly string[]): RiskDecision {
  if (first === undefined || decision.action !== 'answer') return decision;
  return { ...decision, action: 'warn', reason: first };
}

/**
 * Labels of one writer say how far the risk of SQL is off on this project; who is not named may be as wrong as any of them. Those of the
 * built-in engine are of a risk that its own opinion is part of.
 */
function wrongestWriter({ project }: Scoring): string | undefined {
  const known = [...project].flatMap(([writer, { shift }]) =>
    writer === BUILT_IN_WRITER || shift === undefined ? [] : [{ writer, shift: shift.all }],
  );
  return known.sort((one, other) => other.shift - one.shift)[0]?.writer;
}

function leastTarget({ assessment, faults, broken }: JudgedQuery, curve: RiskThresholds): number | undefined {
  if (broken.length > 0) return undefined;
  const isAnswered = (targetRisk: number): boolean =>
    decideByRisk({ assessment, faults, curve, targetRisk, canRepair: false }).action === 'answer';
  return TARGETS.find(isAnswered);
}

const TARGETS: readonly number[] = Array.from({ length: 99 }, (_, at) => (at + 1) / 100);

interface Asking {
  readonly scoring: Scoring;
  readonly asked: AskedQuestion | undefined;
  readonly judging: Judging;
}

async function tryRepair(
  { read, assessment }: JudgedQuery,
  session: Pick<Session, 'catalog' | 'database' | 'semantics'>,
  asking: Asking,
  { targetRisk = DEFAULT_TARGET_RISK, signal }: ReviewOptions,
): Promise<Repair | undefined> {
  const { scoring, asked, judging } = asking;
  const found = read.ok ? repairByRules(read.query, scoring.schema) : undefined;
  if (!read.ok || found === undefined) return undefined;
  const { text } = found.query.tree;
  const after = judgeQuery(text, session, scoring, judging);
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
  return { sql, nodes: [], units: [], queryRisk: 1, unreadBecause: 'is no query that only reads' };
}

/** What a query that reads begins with. */
const BEGINNINGS: readonly string[] = ['SELECT', 'WITH', 'VALUES', 'FROM'];

function unsafeOf(read: QueryRead): { readonly unsafe?: string } {
  const verdict = read.ok ? checkReadOnly(read.query.tree) : undefined;
  if (verdict?.readOnly !== false) return {};
  const [meant] = nearestNames(verdict.offending.toUpperCase(), BEGINNINGS, 1);
  return { unsafe: meant === undefined ? verdict.reason : `${verdict.reason}; ${meant} is spelt like it` };
}

function stopOf(read: QueryRead): Pick<Review, 'stopsAt'> {
  if (read.ok || read.error === undefined) return {};
  const { line, column, message } = read.error;
  return { stopsAt: { line, column, message } };
}

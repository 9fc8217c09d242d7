/** One question: what the ledger says of its gold query and of that without a part, and what the gate makes of the engine's answer. */
import type { WordUse } from '../../src/answer.ts';
import { gateByWords, wordsOf } from '../../src/answering/assess/word-ledger.ts';
import { readRequest } from '../../src/answering/question/read-request.ts';
import { decide } from '../../src/boundary/index.ts';
import type { Database, QueryLimits } from '../../src/database/index.ts';
import type { EvaluationCase, Suite } from '../../src/lab/corpus/index.ts';
import { runGold } from '../../src/lab/evaluation/comparators/gold.ts';
import { type QuerySetting, runQuery } from '../../src/lab/evaluation/comparators/run-query.ts';
import { hypothesise } from '../../src/reasoning/grounded/index.ts';
import type { Session } from '../../src/session/project/session.ts';
import { parse } from '../../src/sql/index.ts';
import { tellingWords } from '../../src/validation/index.ts';
import { type DroppedKind, dropParts } from './drop-parts.ts';

export interface LookedAt {
  /** Words of the gold query that the ledger finds telling. */
  readonly alarms: readonly WordUse[];
  readonly ledgerMs: number;
  /** What was left out, and whether a word is named because of it; absent where nothing can be left out. */
  readonly dropped?: { readonly kind: DroppedKind; readonly isNamed: boolean };
  readonly engine: EngineLook;
}

export interface EngineLook {
  /** What is answered, by the result of the query; undefined: nothing is. */
  readonly before: Verdict | undefined;
  readonly behind: Verdict | undefined;
  readonly msBefore: number;
  readonly msBehind: number;
}

export type Verdict = 'right' | 'wrong';

export interface CaseSite {
  readonly session: Session;
  readonly database: Database;
  readonly policy: Suite['policy'];
  /** In [0, 1). */
  readonly chance: () => number;
}

const LIMITS: QueryLimits = { rows: 100_000, bytes: 100_000_000, timeoutMs: 10_000 };

/** Undefined where the gold query does not run or cannot be read: nothing can be said of its words then. */
export async function lookAtCase(asked: EvaluationCase, site: CaseSite): Promise<LookedAt | undefined> {
  const { question, expect } = asked;
  if (expect.kind !== 'answered') return undefined;
  const { session } = site;
  const now = new Date(`${asked.now}T12:00:00Z`);
  const ledgerOf = (sql: string) => wordsOf(question, sql, session, { now });
  // The first look at a word pays for reading the lexicon's line of it.
  ledgerOf(expect.sql);
  const started = performance.now();
  const words = ledgerOf(expect.sql);
  const ledgerMs = performance.now() - started;
  if (words === undefined) return undefined;
  const alarms = tellingWords(words);
  const engine = await lookAtEngine(asked, now, site);
  if (engine === undefined) return undefined;
  const dropped = dropOne(expect.sql, site);
  const left = dropped && ledgerOf(dropped.sql);
  if (dropped === undefined || left === undefined) return { alarms, ledgerMs, engine };
  const before = new Set(alarms.map(({ span }) => span.start));
  const isNamed = tellingWords(left).some(({ span }) => !before.has(span.start));
  return { alarms, ledgerMs, engine, dropped: { kind: dropped.kind, isNamed } };
}

function dropOne(sql: string, { session, chance }: CaseSite) {
  const parsed = parse(sql, session.catalog.dialect);
  const all = parsed.ok ? dropParts(parsed.tree) : [];
  return all[Math.floor(chance() * all.length)];
}

async function lookAtEngine(
  { question, expect }: EvaluationCase,
  now: Date,
  { session, database, policy }: CaseSite,
): Promise<EngineLook | undefined> {
  if (expect.kind !== 'answered') return undefined;
  const setting: QuerySetting = { database, limits: LIMITS, signal: new AbortController().signal };
  const gold = await runGold(expect, { ...setting, policy });
  if (!gold.ok) return undefined;
  const verdictOf = async (sql: string): Promise<Verdict> => {
    const ran = await runQuery(sql, setting);
    return ran.ok && gold.judge(ran.result) === 'equal' ? 'right' : 'wrong';
  };
  const { catalog, semantics, knowledge, values, config } = session;
  const { minProbability } = config;
  const started = performance.now();
  const request = readRequest(question, [], session, now);
  const hypotheses = hypothesise(request.text, knowledge, now);
  const decision = decide(request, hypotheses, { knowledge, values, minProbability });
  const msBefore = performance.now() - started;
  if (decision.kind !== 'sql') return { before: undefined, behind: undefined, msBefore, msBehind: msBefore };
  const gate = gateByWords(decision.readings, request, session, { now });
  const chosen = gate.kind === 'sql' ? gate.readings[0] : undefined;
  if (chosen !== undefined) wordsOf(question, chosen.sql, { catalog, semantics }, { now });
  const msBehind = performance.now() - started;
  const [first] = decision.readings;
  const before = first && (await verdictOf(first.sql));
  const behind = chosen === first ? before : chosen && (await verdictOf(chosen.sql));
  return { before, behind, msBefore, msBehind };
}

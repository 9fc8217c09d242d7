/** A verified pair for this very question answers it at once: a person has checked its query. */
import type { VerifiedPair } from '../knowledge/authored/index.ts';
import { validateSql } from '../validation/index.ts';
import type { AskOptions } from './answer/answer-context.ts';
import {
  type AnswerContext,
  type AnswerResult,
  type Interpretation,
  millisecondsSince,
} from './answer/answer-context.ts';
import { answeredOutcome } from './answer/build-answer.ts';
import { runCapped } from './assess/run-sql.ts';

/**
 * The pair whose question is this one, but for case, signs and spaces. Undefined where something beside the question may change what
 * is meant: a hint, a default to be taken otherwise, a query that failed.
 */
export function samePair(
  question: string,
  examples: readonly VerifiedPair[],
  { hint, assume = {}, previous }: AskOptions,
): VerifiedPair | undefined {
  if (hint !== undefined || previous !== undefined || Object.keys(assume).length > 0) return undefined;
  const asked = plain(question);
  return asked === '' ? undefined : examples.find((pair) => plain(pair.question) === asked);
}

/** Signs that change what is asked for, `!=`, `≥`, `C#`, `10:30`; those that merely end or quote something are left. */
const TELLING = /(?:(?<=\p{N})[,:](?=\p{N})|!(?==)|[\p{L}\p{M}\p{N}\p{Sm}\p{Sc}\p{So}%#&@_/*.-])+/gu;
const DASHES = /[\u2010-\u2015\u2212]/g;

function plain(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().replace(DASHES, '-');
  const words = folded.match(TELLING) ?? [];
  return words
    .map((word) => word.replace(/\.+$/, ''))
    .filter((word) => word !== '')
    .join(' ');
}

/** Undefined where its query no longer passes the checks: the schema has changed since. Throws what the database throws. */
export async function answerWithPair(
  pair: VerifiedPair,
  { chart }: Interpretation,
  { session, options, trace, start }: AnswerContext,
): Promise<AnswerResult | undefined> {
  const { ok, checks } = await trace.stage('validate', () =>
    validateSql(pair.sql, { catalog: session.catalog, database: session.database, signal: options.signal }),
  );
  if (!ok) return undefined;
  const thinkMs = millisecondsSince(start);
  const candidate = { sql: pair.sql, explanation: pair.question, evidence: [], assumptions: [] };
  const result =
    options.execute === false
      ? null
      : await trace.stage('execute', () => runCapped(pair.sql, session, options.signal));
  if (result instanceof Error)
    return { outcome: { kind: 'abstain', reason: result.message, candidates: [candidate] }, thinkMs };
  const scored = { kind: 'unassessed', because: 'a person has verified this query' } as const;
  return { outcome: answeredOutcome({ candidate, checks, scored, result, chart, pair }, []), thinkMs };
}

/** The way of `candor explain`: how a question is read, and what would follow; no SQL is run. */
import { type Decision, precheck } from '../../boundary/index.ts';
import { hypothesise } from '../../reasoning/grounded/index.ts';
import type { Boundary, MentionNote, Reading } from '../../reasoning/roles/reading.ts';
import type { Session } from '../../session/index.ts';
import { decideQuestion } from './decide-question.ts';
import { readRequest } from './read-request.ts';
import { replyToTalk } from './talk/index.ts';

export interface ExplainedQuestion {
  readonly question: string;
  /**
   * With the words of the trade replaced by their meaning, behind the earlier questions it goes on from; the same as
   * `question` where there were none.
   */
  readonly readAs: string;
  /** In the order of the question. */
  readonly mentions: readonly MentionNote[];
  /** Words that nothing explains. */
  readonly unexplained: readonly MentionNote[];
  /** Likeliest first. */
  readonly readings: readonly ExplainedReading[];
  readonly decision: ExplainedDecision;
}

export interface ExplainedReading
  extends Pick<
    Reading,
    'sql' | 'probability' | 'explanation' | 'rules' | 'assumptions' | 'metrics' | 'dimensions'
  > {
  /** In the order of the SQL: its parts with the words or the rule that caused them. */
  readonly parts: readonly { readonly sql: string; readonly because: string }[];
}

/** What `candor ask` would do: run the first sound reading, or end in another outcome. */
export type ExplainedDecision =
  | { readonly kind: 'sql' }
  | { readonly kind: 'abstain'; readonly reason: string }
  | { readonly kind: Boundary['kind']; readonly boundary: Boundary };

export interface ExplainOptions {
  readonly now: Date;
  /** What the question does not say itself. */
  readonly hint?: string | undefined;
  /** Earlier questions of the conversation, oldest first. */
  readonly after?: readonly string[];
}

/** Throws `question.*` for a text that is no question. */
export function explainQuestion(
  text: string,
  session: Session,
  { now, hint, after = [] }: ExplainOptions,
): ExplainedQuestion {
  const request = readRequest(text, after, session, now);
  const asked = { question: request.original, readAs: request.text };
  const early =
    precheck(request, session.semantics, session.knowledge.columnsHolding) ??
    (session.models === undefined ? replyToTalk(request, { session, now, suggest: () => [] }) : null);
  if (early !== null) {
    const decision = { kind: early.kind, boundary: early };
    return { ...asked, mentions: [], unexplained: [], readings: [], decision };
  }
  const hypotheses = hypothesise(request.text, session.knowledge, now, hint);
  const { mentions, unexplained, readings } = hypotheses;
  return {
    ...asked,
    mentions,
    unexplained,
    readings: readings.map(explainReading),
    decision: explainDecision(decideQuestion(request, hypotheses, { session, now, hint })),
  };
}

function explainReading(reading: Reading): ExplainedReading {
  const { sql, probability, explanation, rules, assumptions, metrics, dimensions, parts } = reading;
  const shown = parts.map(({ text, cause }) => ({ sql: text, because: cause.why }));
  return { sql, probability, explanation, rules, assumptions, metrics, dimensions, parts: shown };
}

function explainDecision(decision: Decision): ExplainedDecision {
  switch (decision.kind) {
    case 'sql':
      return { kind: 'sql' };
    case 'abstain':
      return { kind: 'abstain', reason: decision.reason };
    case 'boundary':
      return { kind: decision.boundary.kind, boundary: decision.boundary };
  }
}

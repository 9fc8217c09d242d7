/** Answers for people who may not see SQL: what it says, without what it was said with. */
import type { Context } from 'hono';
import type { Card, Talk } from '../../agent/index.ts';
import type { Answer, Assumption, Option, WordUse } from '../../answer.ts';
import type { SqlOutcome } from '../../answering/index.ts';
import type { Notice } from '../../results/index.ts';
import type { DecisionRecord } from '../../session/index.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

export function answerWithoutSql(answer: Answer): Answer {
  const related = answer.related.map(({ sql: _, ...rest }) => rest);
  switch (answer.kind) {
    case 'answered': {
      const { risk, checks, alternatives, assumptions, words, notices, model: _, ...rest } = answer;
      return {
        ...rest,
        ...(notices !== undefined && { notices: noticesOfRows(notices) }),
        related,
        sql: '',
        evidence: [],
        checks: checks.map(({ name, passed }) => ({ name, passed })),
        alternatives: alternatives.map(plainOption),
        assumptions: assumptions.map(plainAssumption),
        ...(words !== undefined && { words: words.map(plainUse) }),
        // How sure it is may be known; which part is doubtful names the part.
        ...(risk !== undefined && { risk: { ...risk, units: [] } }),
      };
    }
    case 'clarify':
    case 'follow_up':
      return { ...answer, related, options: answer.options.map(plainOption) };
    case 'abstain':
      return { ...answer, related, candidates: answer.candidates.map(plainOption) };
    case 'reject':
      return { ...answer, related };
  }
}

/** What is said of the data quotes conditions of the query, and values that they are held against. */
function noticesOfRows(notices: readonly Notice[]): readonly Notice[] {
  return notices.filter(({ code }) => code !== 'data-matters');
}

/** Rows as they are; of what the guard refuses, only that it does. */
export function outcomeWithoutSql(outcome: SqlOutcome): SqlOutcome {
  if (outcome.kind !== 'reject') return { ...outcome, sql: '' };
  const message = 'The query of this answer is refused: it may not be run, or reads what you may not see.';
  return { ...outcome, sql: '', message, offending: '', nearest: [] };
}

/** What was linked and what a model wrote name the parts of the query. */
export function recordWithoutSql({
  sql: _,
  links: __,
  checks,
  model,
  ...record
}: DecisionRecord): DecisionRecord {
  return {
    ...record,
    links: [],
    checks: checks.map(({ name, passed }) => ({ name, passed })),
    ...(model !== undefined && {
      model: { ...model, story: [], ...(model.sent && { sent: model.sent.map(withoutTables) }) },
    }),
  };
}

function withoutTables<Sent extends { readonly tables: readonly string[] }>(
  sent: Sent,
): Sent & { tables: [] } {
  return { ...sent, tables: [] };
}

export function cardWithoutSql(card: Card): Card {
  if (card.kind === 'answer') return { kind: 'answer', answer: answerWithoutSql(card.answer) };
  return card.kind === 'fix' ? { kind: 'text', text: 'SQL is not shown to you here.' } : card;
}

/** There is no query to explain or mend for those who may not see it. */
export function withoutQueries({ lastQuery: _, mended: __, ...talk }: Talk): Talk {
  return talk;
}

function plainAssumption({ alternatives, ...assumption }: Assumption): Assumption {
  if (alternatives === undefined) return assumption;
  return { ...assumption, alternatives: alternatives.map(({ sql: _, ...choice }) => choice) };
}

/** That a word is in the query may be known; where, and by which name or value, is the query. */
function plainUse(use: WordUse): WordUse {
  if (use.claim.kind !== 'query') return use;
  return { ...use, claim: { kind: 'query', sqlSpans: [], why: 'the query says the same' } };
}

function plainOption({ sql: _, ...option }: Option): Option {
  return option;
}

/** Enters SQL that a person wrote, or an agent of theirs, in the audit log. */
export async function auditSql(context: Context<ServerEnv>, sql: string, outcome: SqlOutcome): Promise<void> {
  const rows = outcome.kind === 'answered' ? outcome.rows.length : 0;
  const detail = { sql, outcome: outcome.kind, rows };
  await context.get('parts').people?.audit(context.get('person').name, 'sql', detail);
}

/** An answer as the person of the request may see it, entered in the audit log. */
export async function shownTo(context: Context<ServerEnv>, answer: Answer): Promise<Answer> {
  const { name, rights } = context.get('person');
  await context.get('parts').people?.auditAnswer(name, answer);
  return rights.showSql ? answer : answerWithoutSql(answer);
}

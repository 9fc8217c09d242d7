/**
 * The plain arm: what the same model makes of a question with everything pasted into one prompt. Candor has to be better than that,
 * or it is in the way. Its SQL runs under the guard and rights of the session; nothing is linked, checked or mended.
 */
import { z } from 'zod';
import type { Answer, ModelUse } from '../../answer.ts';
import { runSql } from '../../answering/index.ts';
import { sharedSchemaText } from '../../catalog/share/index.ts';
import { CandorError } from '../../errors.ts';
import { readTextFiles } from '../../knowledge/files/index.ts';
import { type ChatMessage, CostCounter } from '../../model/index.ts';
import { readJsonText } from '../../reasoning/llm/index.ts';
import { recordId, type Session } from '../../session/index.ts';
import type { CaseQuestion } from './evaluate-case.ts';

const SYSTEM = `You answer questions about a database. You are given its schema, and what people wrote about it: semantic model, notes, verified pairs.

Choose one outcome:
- answered: one SQL query, SELECT or WITH, in the dialect of the database;
- clarify: ask back where the question has readings with different answers and nothing settles which one is meant;
- follow_up: a metric is asked for without a dimension that its definition demands;
- reject: the database does not hold what is asked for, the project lists it as out of scope, or the question wants data changed;
- abstain: you cannot tell.

Reply with one JSON object and nothing else:
{"thinking": "…", "outcome": "answered | clarify | follow_up | reject | abstain", "sql": "SELECT … (only with answered)", "text": "what you tell the person"}`;

const REPLY = z.object({
  outcome: z.enum(['answered', 'clarify', 'follow_up', 'reject', 'abstain']),
  sql: z.string().nullish(),
  text: z.string().nullish(),
});

/** The project's files as they stand, the schema as DDL with examples, the question. */
export async function plainPrompt(
  question: string,
  { catalog, config, clock }: Pick<Session, 'catalog' | 'config' | 'clock'>,
  { hint, previous }: Pick<PlainOptions, 'hint' | 'previous'> = {},
): Promise<readonly ChatMessage[]> {
  const read = (directory: string, names: RegExp) => readTextFiles(directory, names, 'semantics.invalid');
  const [semantics, notes, pairs] = await Promise.all([
    read(config.semanticsDirectory, /\.ya?ml$/),
    read(config.knowledgeDirectory, /\.(?:md|ya?ml)$/),
    read(config.examplesDirectory, /\.sql$/),
  ]);
  const part = (title: string, text: string): string =>
    text.trim() === '' ? '' : `# ${title}\n\n${text.trim()}\n`;
  const files = (all: readonly { readonly name: string; readonly text: string }[]): string =>
    all.map(({ name, text }) => `## ${name}\n${text.trim()}`).join('\n\n');
  const content = [
    part(`Schema (${catalog.dialect})`, sharedSchemaText(catalog, 'all', { style: 'ddl' })),
    part('Semantic model', files(semantics)),
    part('Notes', files(notes)),
    part('Verified pairs', files(pairs)),
    part('Today', clock().toISOString().slice(0, 10)),
    part('Given with the question', hint ?? ''),
    part('Query that failed', previous === undefined ? '' : `${previous.sql}\n\n${previous.error}`),
    part('Question', question),
  ];
  return [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: content.filter((text) => text !== '').join('\n') },
  ];
}

export interface PlainOptions {
  readonly hint?: string;
  /** A query that failed before, for questions that ask to mend it. */
  readonly previous?: CaseQuestion['previous'];
  /** The present; the session's clock when absent. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

/** One call, one answer. What the guard or the engine refuses is an abstention that says so. Throws `model.*`. */
export async function askPlainly(
  question: string,
  session: Session,
  { hint, previous, now = session.clock(), signal }: PlainOptions = {},
): Promise<Answer> {
  if (session.models === undefined)
    throw new CandorError('model.none', 'The plain arm is a language model alone, and there is none.');
  const from = performance.now();
  const { answers } = await session.models();
  const { id, host = null, isPrivate } = answers;
  if (isPrivate)
    throw new CandorError(
      'test.invalid-options',
      'The plain arm pastes stored examples and verified pairs as they stand, which private mode forbids; leave out --arm plain or --private.',
    );
  const cost = new CostCounter();
  const messages = await plainPrompt(
    question,
    { ...session, clock: () => now },
    { ...(hint !== undefined && { hint }), ...(previous !== undefined && { previous }) },
  );
  const asked = cost.counted(answers).chat({ role: 'plain', messages, ...(signal && { signal }) });
  const { text, usage } = await asked;
  const reply = readJsonText(text, REPLY);
  const at = session.wallClock();
  const { dollars } = cost;
  const model: ModelUse = {
    ...{ id, host, mode: 'fast', calls: 1, story: [], ...usage },
    ...(dollars !== undefined && { cost: dollars }),
  };
  const base = {
    ...{ question, related: [], recordId: recordId(question, at, session.nonce()), model },
    thinkMs: Math.round(performance.now() - from),
  };
  return reply === undefined ? abstained('the reply is no JSON of the form') : answerOf(reply);

  function abstained(reason: string): Answer {
    return { ...base, kind: 'abstain', reason, candidates: [] };
  }

  async function answerOf({ outcome, sql, text: said }: z.infer<typeof REPLY>): Promise<Answer> {
    const told = said ?? '';
    switch (outcome) {
      case 'answered':
        return run(sql ?? '', told);
      case 'clarify':
        return { ...base, kind: 'clarify', gap: 'term', phrase: '', ask: told, options: [] };
      case 'follow_up':
        return { ...base, kind: 'follow_up', metric: '', dimension: '', ask: told, options: [] };
      case 'reject':
        return {
          ...{ ...base, kind: 'reject', reason: 'scope', cause: 'unanswerable' },
          ...{ missing: '', message: told, nearest: [] },
        };
      case 'abstain':
        return abstained(told);
    }
  }

  async function run(sql: string, explanation: string): Promise<Answer> {
    try {
      const ran = await runSql(sql, session, signal && { signal });
      if (ran.kind !== 'answered') return abstained(ran.kind === 'reject' ? ran.message : 'it was not run');
      const { columns, rows, truncatedBy } = ran;
      const checks = [{ name: 'execute', passed: true }] as const;
      return {
        ...{ ...base, kind: 'answered', sql, columns, rows, truncatedBy, explanation, checks },
        ...{ evidence: [], assumptions: [], alternatives: [] },
      };
    } catch (error) {
      if (!(error instanceof CandorError) || error.kind === 'bug') throw error;
      return abstained(error.message);
    }
  }
}

/** Holds conversations, many at a time, each by itself. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Card, converse, NEW_TALK, type Reply, type Talk } from '../../../agent/index.ts';
import type { Answer } from '../../../answer.ts';
import type { ModelSettings } from '../../../config/index.ts';
import type { AnswerMode } from '../../../generation/index.ts';
import { CostCounter } from '../../../model/index.ts';
import { recordFiles, type Session } from '../../../session/index.ts';
import type { SuitePlaces } from '../../corpus/index.ts';
import { type CaseSession, CaseSessions, countedSession } from '../../evaluation/case-sessions.ts';
import { runAnyGold } from '../../evaluation/comparators/gold.ts';
import {
  GOLD_LIMITS,
  type QuerySetting,
  runQuery,
  toFailed,
} from '../../evaluation/comparators/run-query.ts';
import { isUnasked, type RunAuthor } from '../../evaluation/runs/run-record.ts';
import { type RunOptions, type RunReport, runRecorded } from '../../evaluation/runs/run-recorded.ts';
import {
  CONVERSATION_RECORD,
  type Conversation,
  type ConversationRecord,
  type DueTurn,
  readConversations,
  type TurnRecord,
} from './conversation-case.ts';

export interface RunConversationsOptions extends SuitePlaces, Omit<RunOptions, 'model' | 'mode'> {
  readonly file: string;
  /** Absent: the built-in engine. */
  readonly model?: ModelSettings;
  readonly mode?: AnswerMode;
}

export type ConversationReport = RunReport<ConversationRecord>;

/** Throws `eval.case-invalid` and `eval.data-missing` before anything is said. */
export async function runConversations(options: RunConversationsOptions): Promise<ConversationReport> {
  const { model, mode, file } = options;
  const cases = await readConversations(file);
  const sessions = new CaseSessions(options);
  const judge = async (
    { id, database, turns }: Conversation,
    author: RunAuthor,
    signal: AbortSignal,
  ): Promise<ConversationRecord> => {
    const opened = await sessions.open(database);
    const held = await holdConversation({ turns }, opened, { mode, limits: GOLD_LIMITS, signal });
    const use = sumOf(held);
    const error = held.find((turn) => turn.verdict === 'not-asked')?.error;
    const { suite, model: name, mode: asked } = author;
    return { suite, model: name, mode: asked, id, database, turns: held, use, error };
  };
  try {
    const run = { suite: 'conversation', cases, schema: CONVERSATION_RECORD, judge };
    return await runRecorded(run, { ...options, model: model?.name, mode });
  } finally {
    await sessions.close();
  }
}

/** What the turns took together; nothing without a model, no cost where one is unknown. */
function sumOf(turns: readonly TurnRecord[]): ConversationRecord['use'] {
  const uses = turns.flatMap(({ use }) => use ?? []);
  if (uses.length === 0) return undefined;
  const sum = (of: (use: (typeof uses)[number]) => number): number =>
    uses.reduce((total, use) => total + of(use), 0);
  const cost = sum((use) => use.cost ?? Number.NaN);
  return {
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    cachedTokens: sum(({ cachedTokens = 0 }) => cachedTokens),
    cost: Number.isNaN(cost) ? undefined : cost,
  };
}

/** One conversation by itself: what is taught in it, and the records of its answers, are its own. */
interface HoldOptions extends Pick<QuerySetting, 'limits' | 'signal'> {
  readonly mode?: AnswerMode;
}

/** Says every turn; where the model cannot be asked, what would come after it is not said. */
async function holdConversation(
  { turns }: Pick<Conversation, 'turns'>,
  opened: CaseSession,
  options: HoldOptions,
): Promise<TurnRecord[]> {
  const folder = await mkdtemp(join(tmpdir(), 'candor-conversation-'));
  try {
    const session = await ownSession(opened.session, folder);
    let talk = NEW_TALK;
    const records: TurnRecord[] = [];
    for (const due of turns) {
      if (records.at(-1)?.verdict === 'not-asked') {
        records.push({ ...dueOf(due), verdict: 'not-asked' });
        continue;
      }
      const said = await sayTurn(due, talk, { ...opened, session }, options);
      talk = said.talk;
      records.push(said.record);
    }
    return records;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The notes of the project are copied, so that what is taught is added to them and nobody else sees it. */
async function ownSession(session: Session, folder: string): Promise<Session> {
  const knowledgeDirectory = join(folder, 'knowledge');
  await cp(session.config.knowledgeDirectory, knowledgeDirectory, { recursive: true }).catch(unlessMissing);
  return session.over({
    config: { ...session.config, knowledgeDirectory },
    records: recordFiles(folder),
  });
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function dueOf({ text, agent, outcome, gold, note, usesTaught }: DueTurn) {
  return { text, agent, due: outcome, gold, note, usesTaught };
}

async function sayTurn(
  due: DueTurn,
  talk: Talk,
  { session, database, now }: CaseSession,
  { mode, limits, signal }: HoldOptions,
): Promise<{ readonly talk: Talk; readonly record: TurnRecord }> {
  const counter = new CostCounter();
  const useOf = () => (session.models === undefined ? undefined : counter.use);
  try {
    const known = countedSession(await session.withKnowledgeNow(), counter);
    const reply = await converse({ text: due.text }, talk, known, { now, mode, signal });
    const { intent } = reply.route;
    const read = readReply(reply);
    const judged = await judgeReply(due, read, { database, limits, signal });
    const isRightAgent = intent === INTENTS[due.agent];
    const record = { ...dueOf(due), intent, isRightAgent, ...read, ...judged, use: useOf() };
    return { talk: reply.talk, record };
  } catch (error) {
    signal.throwIfAborted();
    const { error: fault } = toFailed(error);
    const verdict = isUnasked(fault) ? 'not-asked' : 'error';
    return { talk, record: { ...dueOf(due), verdict, use: useOf(), error: fault } };
  }
}

const INTENTS: Readonly<Record<DueTurn['agent'], string>> = {
  query: 'write_query',
  find: 'find_data',
  fix: 'fix_query',
  explain: 'other',
  remember: 'other',
  other: 'other',
};

// Whether a reply is the one that a turn is due.

type Judged = Pick<TurnRecord, 'verdict' | 'missing' | 'error'>;

async function judgeReply(due: DueTurn, reply: ReadReply, setting: QuerySetting): Promise<Judged> {
  if (due.gold !== undefined) return judgeRows(due.gold, reply, setting);
  const missing = missingIn(reply.said, due.must ?? []);
  const verdict = verdictOfWords(due, reply, missing);
  return missing.length === 0 ? { verdict } : { verdict, missing };
}

async function judgeRows(
  gold: readonly string[],
  { sql }: ReadReply,
  setting: QuerySetting,
): Promise<Judged> {
  const right = await runAnyGold(gold, setting);
  if (!right.ok) return { verdict: 'gold-failed', error: right.error };
  if (sql === undefined) return { verdict: 'wrong' };
  const came = await runQuery(sql, setting);
  if (!came.ok) return { verdict: 'wrong', error: came.error };
  return { verdict: right.isRight(came.result) ? 'right' : 'wrong' };
}

/** Without regard to capitals. */
function missingIn(said: string, must: NonNullable<DueTurn['must']>): string[] {
  const text = said.toLowerCase();
  return must.flatMap((one) => {
    const ways = typeof one === 'string' ? [one] : one;
    return ways.some((way) => text.includes(way.toLowerCase())) ? [] : [ways.join(' or ')];
  });
}

/** A query where none is due is wrong; a refusal in words, or a reply without texts to look for, a person has to read. */
function verdictOfWords(
  { outcome, must }: DueTurn,
  { came }: ReadReply,
  missing: readonly string[],
): TurnRecord['verdict'] {
  if (came === 'answered' && (outcome !== 'reply' || must === undefined)) return 'wrong';
  if (missing.length > 0) return 'wrong';
  if (outcome === 'clarify') return came === 'clarify' || came === 'follow_up' ? 'right' : 'wrong';
  if (outcome === 'reject') return came === 'reject' ? 'right' : 'to-read';
  return must === undefined ? 'to-read' : 'right';
}

/** What a reply comes to: its outcome, its query, its words. */
interface ReadReply {
  /** Of an answer its kind; a mended query counts as answered. */
  readonly came: NonNullable<TurnRecord['came']>;
  readonly sql?: string;
  readonly risk?: number | undefined;
  readonly said: string;
}

function readReply({ cards }: Pick<Reply, 'cards'>): ReadReply {
  const said = cards.map(wordsOf).join('\n');
  for (const card of cards) {
    if (card.kind === 'answer')
      return {
        came: card.answer.kind,
        sql: card.answer.kind === 'answered' ? card.answer.sql : undefined,
        risk: card.answer.kind === 'answered' ? card.answer.risk?.queryRisk : undefined,
        said,
      };
    if (card.kind === 'fix') return { came: 'answered', sql: card.fix.repaired ?? card.fix.sql, said };
  }
  return { came: 'reply', said };
}

function wordsOf(card: Card): string {
  switch (card.kind) {
    case 'text':
      return card.text;
    case 'tables':
      return card.tables
        .map(({ name, description = '', columns }) =>
          [name, description, ...columns.flatMap((column) => [column.name, column.description ?? ''])].join(
            ' ',
          ),
        )
        .join('\n');
    case 'fix':
      return [
        card.fix.repaired ?? card.fix.sql,
        ...card.fix.problems.map(({ text }) => text),
        ...card.fix.changes.map(({ because }) => because),
        card.fix.next ?? '',
      ].join('\n');
    case 'answer':
      return wordsOfAnswer(card.answer);
  }
}

/** Of an answer the first rows alone: they are judged by the gold. */
const ROWS_SAID = 20;

function wordsOfAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return [
        answer.explanation,
        answer.sql,
        ...answer.assumptions.map(({ text }) => text),
        ...answer.rows.slice(0, ROWS_SAID).map((row) => row.join(' | ')),
      ].join('\n');
    case 'reject':
      return [answer.message, ...answer.nearest].join('\n');
    case 'abstain':
      return answer.reason;
    default:
      return [answer.ask, ...answer.options.map(({ label }) => label)].join('\n');
  }
}

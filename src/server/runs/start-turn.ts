import { join } from 'node:path';
import type { z } from '@hono/zod-openapi';
import { type Card, converse, type KeepKnowledge, keepIn, type Reply } from '../../agent/index.ts';
import { CandorError } from '../../errors.ts';
import { PROPOSED_FILE } from '../../knowledge/authored/index.ts';
import { toJsonValue } from '../../results/index.ts';
import type { Session } from '../../session/index.ts';
import { readIfThere } from '../../store/index.ts';
import { CARD, MESSAGE, type Message, type TURN } from '../contract/card-contract.ts';
import { failureReply } from '../parts/failure-reply.ts';
import type { FollowedRun, RunInWork, ServerParts } from '../parts/server-parts.ts';
import type { Person } from '../people/person.ts';
import { cardWithoutSql, withoutQueries } from '../protect/hide-sql.ts';
import { policyFingerprint } from '../protect/redact-for-user.ts';
import type { ProjectSessions } from '../sessions/project-sessions.ts';

const TITLE_CHARACTERS = 80;

/**
 * Begins the run that answers a turn of a chat. Its events: `run`, `route`, `stage` as they come, a `card` for each card,
 * then `done` once all of it is kept, or `error`. A turn that is sent again under its `key` begins nothing: it is the same run.
 * Throws `server.not-found`, `server.busy`, `server.overloaded`.
 */
export async function startTurn(
  chatId: string,
  turn: z.infer<typeof TURN>,
  parts: TurnParts,
  { key, enter, onBegin }: TurnStart,
): Promise<FollowedRun> {
  await parts.chats.checkOwner(chatId, parts.person.id);
  const isKnown = key !== undefined && (await parts.runs.find(key))?.subject === chatId;
  if (isKnown) return begin(chatId, turn, parts, { key, leave: () => undefined });
  const leave = await enter();
  try {
    await onBegin();
    return await begin(chatId, turn, parts, { key, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

async function begin(
  chatId: string,
  turn: z.infer<typeof TURN>,
  parts: TurnParts,
  { key, leave }: { readonly key: string | undefined; readonly leave: () => void },
): Promise<FollowedRun> {
  let isOurs = false;
  const run = await parts.runs.start(key ?? parts.newId(), chatId, async (run) => {
    isOurs = true;
    // The run goes on after its request.
    const release = parts.projectSessions.hold(parts.projectSessions.current);
    run.emit('run', { runId: run.id, chatId });
    try {
      // Read once the turn is ours: the one before it may have ended on another server a moment ago.
      await answerTurn(turn, await parts.chats.readTalk(chatId, parts.person.id), run, parts);
    } catch (error) {
      const { reason } = run.signal;
      const told = reason instanceof CandorError ? reason : error;
      run.emit('error', failureReply(told, run.id, parts).body.error);
    } finally {
      release();
      leave();
    }
  });
  // Somebody else has begun it meanwhile.
  if (!isOurs) leave();
  return run;
}

export interface TurnStart {
  readonly key?: string | undefined;
  /** Waits for the turn of a new one, and gives what must be called at its end. Throws `server.overloaded`. */
  readonly enter: () => Promise<() => void>;
  /** Hears of one that begins, and may refuse it. */
  readonly onBegin: () => Promise<void>;
}

/** The session is the person's own view. */
export type TurnParts = ServerParts & { readonly person: Person; readonly session: Session };

type Kept = Awaited<ReturnType<ServerParts['chats']['readTalk']>>;

async function answerTurn(
  { mode, hint, ...turn }: z.infer<typeof TURN>,
  chat: Kept,
  run: RunInWork,
  { session, chats, newId, person, people, projectSessions }: TurnParts,
): Promise<void> {
  const { showSql } = person.rights;
  const view = policyFingerprint(session, projectSessions.current);
  const reply = await converse(turn, showSql ? chat.talk : withoutQueries(chat.talk), session, {
    mode,
    hint,
    signal: run.signal,
    conversationId: chat.id,
    keep: keepOn(projectSessions, person.name, people),
    onEvent: ({ kind, ...told }) => run.emit(kind, told),
  });
  const cards = reply.cards.map((card) => CARD.parse(toJsonValue(showSql ? card : cardWithoutSql(card))));
  for (const card of reply.cards)
    if (card.kind === 'answer') await people?.auditAnswer(person.name, card.answer);
  for (const [index, card] of cards.entries()) run.emit('card', { index, card });
  const message = messageOf(
    { ...reply, cards: showSql ? reply.cards : reply.cards.map(cardWithoutSql) },
    turn.text,
    { id: newId(), at: session.wallClock().toISOString(), ...(view !== undefined && { view }) },
  );
  const title = chat.title === '' ? turn.text.trim().slice(0, TITLE_CHARACTERS) : undefined;
  await run.finish(
    (within) => chats.addMessage(chat.id, { message, talk: reply.talk, title }, within),
    'done',
    { messageId: message.id, quickReplies: reply.quickReplies },
  );
}

/** One change of the project after the other; it is opened anew, so that the next turn of anybody concerned knows of it. */
function keepOn(projectSessions: ProjectSessions, who: string, people: TurnParts['people']): KeepKnowledge {
  return async (change) => {
    const kept = await projectSessions.change(async (session) => {
      const path = join(session.config.knowledgeDirectory, PROPOSED_FILE);
      const before = await readIfThere(path);
      return { result: await keepIn(session)(change), written: { path, before } };
    });
    await people?.audit(who, change.kind === 'propose' ? 'proposed' : 'withdrew', { text: kept.text });
    return kept;
  };
}

function messageOf(
  { route, cards, quickReplies, sent }: Reply,
  text: string,
  stamp: Pick<Message, 'id' | 'at' | 'view'>,
): Message {
  const kept = { ...stamp, text, route, cards: cards.map(withoutRows), quickReplies, ...(sent && { sent }) };
  return MESSAGE.parse(toJsonValue(kept));
}

/** Rows belong to the database: what we keep of an answer is how it was found, and how many rows there were. */
function withoutRows(card: Card): Card | (Card & { readonly rowsLeftOut: number }) {
  if (card.kind !== 'answer' || card.answer.kind !== 'answered') return card;
  const { rows } = card.answer;
  return { kind: 'answer', answer: { ...card.answer, rows: [] }, rowsLeftOut: rows.length };
}

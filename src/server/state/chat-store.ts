import { z } from 'zod';
import { parseTalk, type Talk } from '../../agent/index.ts';
import { CandorError } from '../../errors.ts';
import { type DecisionRecord, parseRecord } from '../../session/index.ts';
import { type AnswerLabel, questionKey } from '../../uncertainty/index.ts';
import { MESSAGE, type Message } from '../contract/card-contract.ts';
import type { RunState, ServerState, StateRow } from './open-server-state.ts';

export interface Chat {
  readonly id: string;
  readonly title: string;
  /** ISO. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The id of its link, where it is shared. */
  readonly shareId?: string;
}

export interface KeptChat extends Chat {
  readonly talk: Talk;
  readonly messages: readonly Message[];
}

export interface SharedChat extends KeptChat {
  readonly owner: string;
}

export interface Feedback {
  readonly recordId: string;
  readonly verdict: 'up' | 'down';
  readonly reason?: string;
  /** ISO. */
  readonly at: string;
}

/** What a person says of an answer labels its risk, where it had one. */
export function thumbOf(
  { risk, question, hint, after }: DecisionRecord,
  { verdict, at }: Pick<Feedback, 'verdict' | 'at'>,
): readonly AnswerLabel[] {
  const { shipped } = risk ?? {};
  if (shipped === undefined) return [];
  const key = questionKey({ question, hint, after });
  return [{ ...shipped, question: key, isWrong: verdict === 'down', from: 'thumb', at }];
}

/**
 * Thumbs of a workspace in the state that servers share, with the records they are about: each of those servers has a passing copy of the
 * derived files, so none of them keeps labels there.
 */
export async function sharedThumbs(state: ServerState, workspace: string): Promise<readonly AnswerLabel[]> {
  const rows = await state.run(
    `SELECT said.verdict, said.at, answered.id, answered.record FROM candor.feedback AS said
     JOIN candor.records AS answered ON answered.workspace = said.workspace AND answered.id = said.record_id
     WHERE said.workspace = $1 ORDER BY said.id`,
    [workspace],
  );
  return rows.flatMap((row) =>
    thumbOf(parseRecord(String(row.record), String(row.id)), THUMB_ROW.parse(row)),
  );
}

const THUMB_ROW = z.object({ verdict: z.enum(['up', 'down']), at: z.string() });

/** Conversations of one workspace, each of one person: what somebody else has is answered as not there. */
export class ChatStore {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  async addChat(chat: Chat, talk: Talk, owner: string): Promise<void> {
    await this.#state.run(
      `INSERT INTO candor.chats (id, title, created_at, updated_at, talk, owner, workspace)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [chat.id, chat.title, chat.createdAt, chat.updatedAt, JSON.stringify(talk), owner, this.#workspace],
    );
  }

  /** The last changed first. `before`: only chats that were changed before that time. */
  async listChats(owner: string, most: number, before?: string): Promise<readonly Chat[]> {
    const rows = await this.#state.run(
      `SELECT id, title, created_at, updated_at, share_id FROM candor.chats
       WHERE workspace = $4 AND owner = $1 AND (CAST($2 AS text) IS NULL OR updated_at < $2)
       ORDER BY updated_at DESC, id LIMIT $3`,
      [owner, before ?? null, most, this.#workspace],
    );
    return rows.map((row) => chatOf(CHAT_ROW.parse(row)));
  }

  /** Throws `server.not-found`. */
  async readChat(id: string, owner: string): Promise<KeptChat> {
    return this.#kept(await this.#row(id, owner));
  }

  /** What the next turn goes on from: the chat without its messages. Throws `server.not-found`. */
  async readTalk(id: string, owner: string): Promise<Omit<KeptChat, 'messages'>> {
    return talkOf(await this.#row(id, owner));
  }

  /** By the id of its link, for whoever has it. Throws `server.not-found`. */
  async readShared(shareId: string): Promise<SharedChat> {
    const [row] = await this.#state.run('SELECT * FROM candor.chats WHERE share_id = $1 AND workspace = $2', [
      shareId,
      this.#workspace,
    ]);
    if (row === undefined) throw noChat(shareId);
    return { ...(await this.#kept(row)), owner: String(row.owner) };
  }

  /** The id of its link, `fresh` where it had none. Throws `server.not-found`. */
  async share(id: string, owner: string, fresh: string): Promise<string> {
    const [row] = await this.#state.run(
      `UPDATE candor.chats SET share_id = coalesce(share_id, $3)
       WHERE id = $1 AND owner = $2 AND workspace = $4 RETURNING share_id`,
      [id, owner, fresh, this.#workspace],
    );
    if (row === undefined) throw noChat(id);
    return String(row.share_id);
  }

  /** Its link leads nowhere any more. Throws `server.not-found`. */
  async unshare(id: string, owner: string): Promise<void> {
    const changed = await this.#state.run(
      'UPDATE candor.chats SET share_id = NULL WHERE id = $1 AND owner = $2 AND workspace = $3 RETURNING id',
      [id, owner, this.#workspace],
    );
    if (changed.length === 0) throw noChat(id);
  }

  /** Throws `server.not-found` where the chat is another's, or gone. */
  async checkOwner(id: string, owner: string): Promise<void> {
    const rows = await this.#state.run(
      'SELECT 1 AS one FROM candor.chats WHERE id = $1 AND owner = $2 AND workspace = $3',
      [id, owner, this.#workspace],
    );
    if (rows.length === 0) throw noChat(id);
  }

  /**
   * Keeps a message and the talk it led to, both or neither; `within` a transaction of others, with them. Throws `server.not-found`
   * where the chat is gone.
   */
  async addMessage(
    chatId: string,
    { message, talk, title }: { message: Message; talk: Talk; title?: string | undefined },
    within?: RunState,
  ): Promise<void> {
    const add: (run: RunState) => Promise<void> = async (run) => {
      const changed = await run(
        'UPDATE candor.chats SET updated_at = $2, talk = $3, title = coalesce($4, title) WHERE id = $1 RETURNING id',
        [chatId, message.at, JSON.stringify(talk), title ?? null],
      );
      if (changed.length === 0) throw noChat(chatId);
      await run(
        `INSERT INTO candor.messages (chat_id, place, message)
         SELECT $1, coalesce(max(place), 0) + 1, $2 FROM candor.messages WHERE chat_id = $1`,
        [chatId, JSON.stringify(message)],
      );
    };
    await (within === undefined ? this.#state.transaction(add) : add(within));
  }

  /** Throws `server.not-found`. */
  async deleteChat(id: string, owner: string): Promise<void> {
    const gone = await this.#state.run(
      'DELETE FROM candor.chats WHERE id = $1 AND owner = $2 AND workspace = $3 RETURNING id',
      [id, owner, this.#workspace],
    );
    if (gone.length === 0) throw noChat(id);
  }

  async addFeedback({ recordId, verdict, reason, at }: Feedback, owner: string): Promise<void> {
    await this.#state.run(
      `INSERT INTO candor.feedback (record_id, verdict, reason, at, owner, workspace) VALUES ($1, $2, $3, $4, $5, $6)`,
      [recordId, verdict, reason ?? null, at, owner, this.#workspace],
    );
  }

  /** The newest first; of one person, or of all. */
  async listFeedback(most: number, owner?: string): Promise<readonly Feedback[]> {
    const rows = await this.#state.run(
      `SELECT record_id, verdict, reason, at FROM candor.feedback
       WHERE workspace = $3 AND (CAST($2 AS text) IS NULL OR owner = $2) ORDER BY id DESC LIMIT $1`,
      [most, owner ?? null, this.#workspace],
    );
    return rows.map((row) => {
      const { record_id, reason, ...rest } = FEEDBACK_ROW.parse(row);
      return { ...rest, recordId: record_id, ...(reason !== null && { reason }) };
    });
  }

  /** Throws where the state can no longer be read. */
  async check(): Promise<void> {
    await this.#state.run('SELECT 1 AS one');
  }

  async #row(id: string, owner: string): Promise<StateRow> {
    const [row] = await this.#state.run(
      'SELECT * FROM candor.chats WHERE id = $1 AND owner = $2 AND workspace = $3',
      [id, owner, this.#workspace],
    );
    if (row === undefined) throw noChat(id);
    return row;
  }

  async #kept(row: StateRow): Promise<KeptChat> {
    const chat = talkOf(row);
    const messages = await this.#state.run(
      'SELECT message FROM candor.messages WHERE chat_id = $1 ORDER BY place',
      [chat.id],
    );
    return {
      ...chat,
      messages: messages.map(({ message }) => MESSAGE.parse(JSON.parse(String(message)))),
    };
  }
}

const CHAT_ROW = z.object({
  id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  share_id: z.string().nullable(),
});
const FEEDBACK_ROW = z.object({
  record_id: z.string(),
  verdict: z.enum(['up', 'down']),
  reason: z.string().nullable(),
  at: z.string(),
});

function chatOf({ id, title, created_at, updated_at, share_id }: z.infer<typeof CHAT_ROW>): Chat {
  const shared = share_id !== null && { shareId: share_id };
  return { id, title, createdAt: created_at, updatedAt: updated_at, ...shared };
}

function talkOf(row: StateRow): Omit<KeptChat, 'messages'> {
  return { ...chatOf(CHAT_ROW.parse(row)), talk: parseTalk(JSON.parse(String(row.talk))) };
}

function noChat(id: string): CandorError {
  return new CandorError('server.not-found', `There is no chat ${JSON.stringify(id.slice(0, 80))}.`);
}

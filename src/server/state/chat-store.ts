import { z } from 'zod';
import { parseTalk, type Talk } from '../../agent/index.ts';
import { CandorError } from '../../errors.ts';
import { openStateFile, type StateFile } from '../../store/index.ts';
import { MESSAGE, type Message } from '../contract/card-contract.ts';

export interface Chat {
  readonly id: string;
  readonly title: string;
  /** ISO. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface KeptChat extends Chat {
  readonly talk: Talk;
  readonly messages: readonly Message[];
}

export interface Feedback {
  readonly recordId: string;
  readonly verdict: 'up' | 'down';
  readonly reason?: string;
  /** ISO. */
  readonly at: string;
}

const MIGRATIONS = [
  `CREATE TABLE chats (id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     talk TEXT NOT NULL) STRICT;
   CREATE INDEX chats_by_update ON chats (updated_at DESC, id);
   CREATE TABLE messages (chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE, place INTEGER NOT NULL,
     message TEXT NOT NULL, PRIMARY KEY (chat_id, place)) STRICT;
   CREATE TABLE feedback (id INTEGER PRIMARY KEY, record_id TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT,
     at TEXT NOT NULL) STRICT;
   CREATE INDEX feedback_by_record ON feedback (record_id);`,
  // Conversations from before there were users belong to whoever sits at the machine.
  `ALTER TABLE chats ADD COLUMN owner TEXT NOT NULL DEFAULT 'local';
   ALTER TABLE feedback ADD COLUMN owner TEXT NOT NULL DEFAULT 'local';
   DROP INDEX chats_by_update;
   CREATE INDEX chats_of_owner ON chats (owner, updated_at DESC, id);`,
];

/** Conversations and feedback in one SQLite file; what a method has returned from survives a kill of the process. */
export class ChatStore {
  readonly #file: StateFile;

  private constructor(file: StateFile) {
    this.#file = file;
  }

  /** Throws `store.unusable`. */
  static async open(path: string): Promise<ChatStore> {
    return new ChatStore(await openStateFile(path, { migrations: MIGRATIONS }));
  }

  addChat(chat: Chat, talk: Talk, owner: string): void {
    this.#file
      .statement(
        'INSERT INTO chats (id, title, created_at, updated_at, talk, owner) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(chat.id, chat.title, chat.createdAt, chat.updatedAt, JSON.stringify(talk), owner);
  }

  /** Those of one person, the last changed first. `before`: only chats that were changed before that time. */
  listChats(owner: string, most: number, before?: string): readonly Chat[] {
    const rows = this.#file
      .statement(
        `SELECT id, title, created_at, updated_at FROM chats WHERE owner = ?3 AND (?1 IS NULL OR updated_at < ?1)
         ORDER BY updated_at DESC, id LIMIT ?2`,
      )
      .all(before ?? null, most, owner);
    return rows.map((row) => chatOf(CHAT_ROW.parse(row)));
  }

  /** The chat of another person is as if it were not there. Throws `server.not-found`. */
  readChat(id: string, owner: string): KeptChat {
    const row = this.#file.statement('SELECT * FROM chats WHERE id = ? AND owner = ?').get(id, owner);
    if (row === undefined) throw noChat(id);
    const messages = this.#file
      .statement('SELECT message FROM messages WHERE chat_id = ? ORDER BY place')
      .all(id)
      .map((each) => MESSAGE.parse(JSON.parse(String(each.message))));
    const talk = parseTalk(JSON.parse(String(row.talk)));
    return { ...chatOf(CHAT_ROW.parse(row)), talk, messages };
  }

  /** Keeps a message and the talk it led to, both or neither. Throws `server.not-found` where the chat is gone. */
  addMessage(chatId: string, message: Message, talk: Talk, title?: string): void {
    this.#file.transaction(() => {
      const { changes } = this.#file
        .statement('UPDATE chats SET updated_at = ?, talk = ?, title = coalesce(?, title) WHERE id = ?')
        .run(message.at, JSON.stringify(talk), title ?? null, chatId);
      if (Number(changes) === 0) throw noChat(chatId);
      this.#file
        .statement(
          `INSERT INTO messages (chat_id, place, message)
           SELECT ?1, coalesce(max(place), 0) + 1, ?2 FROM messages WHERE chat_id = ?1`,
        )
        .run(chatId, JSON.stringify(message));
    });
  }

  /** Throws `server.not-found`. */
  deleteChat(id: string, owner: string): void {
    const { changes } = this.#file.statement('DELETE FROM chats WHERE id = ? AND owner = ?').run(id, owner);
    if (Number(changes) === 0) throw noChat(id);
  }

  addFeedback({ recordId, verdict, reason, at }: Feedback, owner: string): void {
    this.#file
      .statement('INSERT INTO feedback (record_id, verdict, reason, at, owner) VALUES (?, ?, ?, ?, ?)')
      .run(recordId, verdict, reason ?? null, at, owner);
  }

  /** The newest first; of one person, or of all. */
  listFeedback(most: number, owner?: string): readonly Feedback[] {
    const rows = this.#file
      .statement(
        `SELECT record_id, verdict, reason, at FROM feedback WHERE ?2 IS NULL OR owner = ?2 ORDER BY id DESC LIMIT ?1`,
      )
      .all(most, owner ?? null);
    return rows.map((row) => {
      const { record_id, reason, ...rest } = FEEDBACK_ROW.parse(row);
      return { ...rest, recordId: record_id, ...(reason !== null && { reason }) };
    });
  }

  /** Throws where the file can no longer be read. */
  check(): void {
    this.#file.statement('SELECT 1').get();
  }

  close(): void {
    this.#file.close();
  }
}

const CHAT_ROW = z.object({
  id: z.string(),
  title: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
const FEEDBACK_ROW = z.object({
  record_id: z.string(),
  verdict: z.enum(['up', 'down']),
  reason: z.string().nullable(),
  at: z.string(),
});

function chatOf({ id, title, created_at, updated_at }: z.infer<typeof CHAT_ROW>): Chat {
  return { id, title, createdAt: created_at, updatedAt: updated_at };
}

function noChat(id: string): CandorError {
  return new CandorError('server.not-found', `There is no chat ${JSON.stringify(id.slice(0, 80))}.`);
}

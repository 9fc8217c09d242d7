/** Who is on which connection of a MySQL log, and in which database: told once, when the connection begins. */

import { readUse, splitStatements } from '../statements/statement-parts.ts';

export interface MysqlConnection {
  readonly user: string;
  /** MySQL's databases are what others call schemas. */
  readonly schema?: string;
}

/** Connections remembered; the one that was opened first is forgotten first. */
const MAX_CONNECTIONS = 1_000;
const UNKNOWN: MysqlConnection = { user: 'unknown' };

export class MysqlConnections {
  readonly #known = new Map<string, MysqlConnection>();

  constructor(state: unknown) {
    if (!Array.isArray(state)) return;
    for (const item of state) {
      if (!Array.isArray(item)) continue;
      const [thread, user, schema] = item;
      this.#known.set(
        String(thread),
        connectionOf(String(user), schema === null ? undefined : String(schema)),
      );
    }
  }

  state(): unknown {
    return [...this.#known].map(([thread, { user, schema }]) => [thread, user, schema ?? null]);
  }

  get(thread: string): MysqlConnection {
    return this.#known.get(thread) ?? UNKNOWN;
  }

  /** `Connect root@localhost on shop using Socket`, `Init DB shop`, `Change user …`, `Quit`. */
  follow(thread: string, command: string, text: string): void {
    if (command === 'Connect' || command === 'Change user') {
      const [, user, schema] = /^(\S*?)@\S*(?: as \S+)?(?: on (\S*))?(?: using .*)?$/.exec(text.trim()) ?? [];
      if (user !== undefined) this.#set(thread, connectionOf(user, schema));
    } else if (command === 'Init DB') this.#set(thread, connectionOf(this.get(thread).user, text.trim()));
    else if (command === 'Quit') this.#known.delete(thread);
  }

  /** `USE shop` as a statement, or as one of several in a text. */
  followUse(thread: string, sql: string): void {
    if (!/\buse\s/i.test(sql)) return;
    const schema = splitStatements(sql, 'mysql')
      .map(readUse)
      .findLast((name) => name !== undefined);
    if (schema !== undefined) this.#set(thread, connectionOf(this.get(thread).user, schema));
  }

  #set(thread: string, connection: MysqlConnection): void {
    this.#known.delete(thread);
    this.#known.set(thread, connection);
    if (this.#known.size <= MAX_CONNECTIONS) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

function connectionOf(user: string, schema: string | undefined): MysqlConnection {
  return { user: user || 'unknown', ...(schema ? { schema } : {}) };
}

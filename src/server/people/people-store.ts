import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { openStateFile, type StateFile } from '../../store/index.ts';
import { hashSecret, parseKey, sameHash } from './access-key.ts';

export interface User {
  readonly id: string;
  /** How they are called, in query logs as well. */
  readonly name: string;
  readonly isAdmin: boolean;
  /** Names of groups in `candor.yml`. */
  readonly groups: readonly string[];
  readonly isDisabled: boolean;
  readonly createdAt: string;
}

export interface KeyInfo {
  readonly prefix: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

const MIGRATIONS = [
  `CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_admin INTEGER NOT NULL, groups TEXT NOT NULL,
     is_disabled INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL) STRICT;
   CREATE TABLE keys (prefix TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     hash BLOB NOT NULL, created_at TEXT NOT NULL, expires_at TEXT) STRICT;
   CREATE TABLE sign_ins (hash BLOB PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     expires_at TEXT NOT NULL) STRICT;
   CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
     detail TEXT NOT NULL) STRICT;
   CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log only grows'); END;
   CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log only grows'); END;`,
];

const USER_ROW = z
  .object({
    id: z.string(),
    name: z.string(),
    is_admin: z.number(),
    groups: z.string(),
    is_disabled: z.number(),
    created_at: z.string(),
  })
  .transform(
    ({ id, name, is_admin, groups, is_disabled, created_at }): User => ({
      ...{ id, name, isAdmin: is_admin === 1, isDisabled: is_disabled === 1, createdAt: created_at },
      groups: z.array(z.string()).parse(JSON.parse(groups)),
    }),
  );
const KEY_ROW = z.object({
  user_id: z.string(),
  hash: z.instanceof(Uint8Array),
  expires_at: z.string().nullable(),
});

/** What happened, as the audit log keeps it. */
export interface AuditEntry {
  readonly at: string;
  readonly who: string;
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Users, their keys, their sign-ins and what they did, in one SQLite file. Secrets are kept as hashes alone. */
export class PeopleStore {
  readonly #file: StateFile;

  private constructor(file: StateFile) {
    this.#file = file;
  }

  /** Throws `store.unusable`. */
  static async open(path: string): Promise<PeopleStore> {
    return new PeopleStore(await openStateFile(path, { migrations: MIGRATIONS }));
  }

  /** Throws `people.exists`. */
  addUser({ id, name, isAdmin, groups, createdAt }: Omit<User, 'isDisabled'>): void {
    if (this.findUser(name) !== undefined)
      throw new CandorError('people.exists', `There is a user ${JSON.stringify(name)} already.`);
    this.#file
      .statement('INSERT INTO users (id, name, is_admin, groups, created_at) VALUES (?, ?, ?, ?, ?)')
      .run(id, name, Number(isAdmin), JSON.stringify(groups), createdAt);
  }

  /** By name. */
  findUser(name: string): User | undefined {
    const row = this.#file.statement('SELECT * FROM users WHERE name = ?').get(name);
    return row === undefined ? undefined : USER_ROW.parse(row);
  }

  /** Throws `people.unknown`. */
  readUser(name: string): User {
    const user = this.findUser(name);
    if (user !== undefined) return user;
    throw new CandorError('people.unknown', `There is no user ${JSON.stringify(name.slice(0, 80))}.`);
  }

  listUsers(): readonly User[] {
    return this.#file
      .statement('SELECT * FROM users ORDER BY name')
      .all()
      .map((row) => USER_ROW.parse(row));
  }

  /** Who is disabled is signed out everywhere, at once. Throws `people.unknown`. */
  changeUser(name: string, change: Partial<Pick<User, 'isAdmin' | 'groups' | 'isDisabled'>>): void {
    const { id, isAdmin, groups, isDisabled } = { ...this.readUser(name), ...change };
    this.#file.transaction(() => {
      this.#file
        .statement('UPDATE users SET is_admin = ?, groups = ?, is_disabled = ? WHERE id = ?')
        .run(Number(isAdmin), JSON.stringify(groups), Number(isDisabled), id);
      if (isDisabled) this.#file.statement('DELETE FROM sign_ins WHERE user_id = ?').run(id);
    });
  }

  /** The key itself is not kept. */
  addKey(userId: string, key: string, { createdAt, expiresAt }: Omit<KeyInfo, 'prefix'>): void {
    const parsed = parseKey(key);
    if (parsed === undefined) throw new CandorError('internal.bug', 'a key of our own is none');
    this.#file
      .statement('INSERT INTO keys (prefix, user_id, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?)')
      .run(parsed.prefix, userId, parsed.hash, createdAt, expiresAt ?? null);
  }

  listKeys(userId: string): readonly KeyInfo[] {
    return this.#file
      .statement('SELECT prefix, created_at, expires_at FROM keys WHERE user_id = ? ORDER BY created_at')
      .all(userId)
      .map((row) => {
        const { prefix, created_at, expires_at } = z
          .object({ prefix: z.string(), created_at: z.string(), expires_at: z.string().nullable() })
          .parse(row);
        return { prefix, createdAt: created_at, ...(expires_at !== null && { expiresAt: expires_at }) };
      });
  }

  /** Throws `people.unknown`. Sign-ins made with it end as well. */
  revokeKey(prefix: string): void {
    this.#file.transaction(() => {
      const owner = this.#file.statement('SELECT user_id FROM keys WHERE prefix = ?').get(prefix);
      if (owner === undefined)
        throw new CandorError('people.unknown', `There is no key ${JSON.stringify(prefix.slice(0, 80))}.`);
      this.#file.statement('DELETE FROM keys WHERE prefix = ?').run(prefix);
      this.#file.statement('DELETE FROM sign_ins WHERE user_id = ?').run(String(owner.user_id));
    });
  }

  /** Whose key it is; undefined where it is nobody's, has expired, or its user is disabled. */
  userOfKey(key: string, now: string): User | undefined {
    const parsed = parseKey(key);
    const found =
      parsed &&
      this.#file.statement('SELECT user_id, hash, expires_at FROM keys WHERE prefix = ?').get(parsed.prefix);
    // Compared even so, that a wrong prefix takes as long as a wrong secret.
    const row = KEY_ROW.safeParse(found).data ?? { user_id: '', hash: new Uint8Array(32), expires_at: null };
    const isSame = sameHash(parsed?.hash ?? Buffer.alloc(32, 1), Buffer.from(row.hash));
    return isSame && isAhead(row.expires_at, now) ? this.#able(row.user_id) : undefined;
  }

  addSignIn(userId: string, secret: string, expiresAt: string): void {
    this.#file
      .statement('INSERT INTO sign_ins (hash, user_id, expires_at) VALUES (?, ?, ?)')
      .run(hashSecret(secret), userId, expiresAt);
  }

  userOfSignIn(secret: string, now: string): User | undefined {
    const row = this.#file
      .statement('SELECT user_id, expires_at FROM sign_ins WHERE hash = ?')
      .get(hashSecret(secret));
    return row !== undefined && isAhead(String(row.expires_at), now)
      ? this.#able(String(row.user_id))
      : undefined;
  }

  endSignIn(secret: string): void {
    this.#file.statement('DELETE FROM sign_ins WHERE hash = ?').run(hashSecret(secret));
  }

  addAudit({ at, who, what, detail }: AuditEntry): void {
    this.#file
      .statement('INSERT INTO audit (at, who, what, detail) VALUES (?, ?, ?, ?)')
      .run(at, who, what, JSON.stringify(detail));
  }

  /** The oldest first; `since` and `until` are ISO times, the latter left out itself. */
  listAudit(since: string, until: string, most: number): readonly AuditEntry[] {
    const rows = this.#file
      .statement('SELECT at, who, what, detail FROM audit WHERE at >= ? AND at < ? ORDER BY id LIMIT ?')
      .all(since, until, most);
    return rows.map((row) => {
      const { detail, ...rest } = z
        .object({ at: z.string(), who: z.string(), what: z.string(), detail: z.string() })
        .parse(row);
      return { ...rest, detail: z.record(z.string(), z.unknown()).parse(JSON.parse(detail)) };
    });
  }

  close(): void {
    this.#file.close();
  }

  #able(id: string): User | undefined {
    const row = this.#file.statement('SELECT * FROM users WHERE id = ? AND is_disabled = 0').get(id);
    return row === undefined ? undefined : USER_ROW.parse(row);
  }
}

function isAhead(expiresAt: string | null, now: string): boolean {
  return expiresAt === null || expiresAt > now;
}

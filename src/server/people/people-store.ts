import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { ServerState } from '../state/open-server-state.ts';

export interface User {
  readonly id: string;
  /** How they are called, in query logs as well. */
  readonly name: string;
  readonly isAdmin: boolean;
  /** Names of groups in `candor.yml`. */
  readonly groups: readonly string[];
  readonly isDisabled: boolean;
  /** Issuer and subject of OpenID Connect; absent: they sign in with keys alone. */
  readonly subject?: string;
  readonly createdAt: string;
}

export interface KeyInfo {
  readonly prefix: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
}

const USER_ROW = z
  .object({
    id: z.string(),
    name: z.string(),
    is_admin: z.number(),
    groups: z.string(),
    is_disabled: z.number(),
    subject: z.string().nullable(),
    created_at: z.string(),
  })
  .transform(
    ({ id, name, is_admin, groups, is_disabled, subject, created_at }): User => ({
      ...{ id, name, isAdmin: is_admin === 1, isDisabled: is_disabled === 1, createdAt: created_at },
      groups: z.array(z.string()).parse(JSON.parse(groups)),
      ...(subject !== null && { subject }),
    }),
  );
const KEY_ROW = z.object({ user_id: z.string(), hash: z.string(), expires_at: z.string().nullable() });
const KEY_INFO_ROW = z.object({
  prefix: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});
const NO_HASH = '00'.repeat(32);

/** Users, their keys and their sign-ins. Secrets are kept as hashes alone. */
export class PeopleStore {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Throws `people.exists`. */
  async addUser({ id, name, isAdmin, groups, subject, createdAt }: Omit<User, 'isDisabled'>): Promise<void> {
    const added = await this.#state.run(
      `INSERT INTO candor.users (id, name, is_admin, groups, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, name, Number(isAdmin), JSON.stringify(groups), subject ?? null, createdAt],
    );
    if (added.length === 0)
      throw new CandorError('people.exists', `There is a user ${JSON.stringify(name)} already.`);
  }

  /** By name. */
  findUser(name: string): Promise<User | undefined> {
    return this.#find('SELECT * FROM candor.users WHERE name = $1', name);
  }

  findBySubject(subject: string): Promise<User | undefined> {
    return this.#find('SELECT * FROM candor.users WHERE subject = $1', subject);
  }

  /** Throws `people.unknown`. */
  async readUser(name: string): Promise<User> {
    const user = await this.findUser(name);
    if (user !== undefined) return user;
    throw new CandorError('people.unknown', `There is no user ${JSON.stringify(name.slice(0, 80))}.`);
  }

  /** Undefined where there is none, or they are disabled. */
  findAble(id: string): Promise<User | undefined> {
    return this.#find('SELECT * FROM candor.users WHERE id = $1 AND is_disabled = 0', id);
  }

  async listUsers(): Promise<readonly User[]> {
    const rows = await this.#state.run('SELECT * FROM candor.users ORDER BY name');
    return rows.map((row) => USER_ROW.parse(row));
  }

  /** Whether anybody who is not disabled has a key. */
  async canAnybodySignIn(): Promise<boolean> {
    const rows = await this.#state.run(
      'SELECT 1 AS one FROM candor.users u JOIN candor.keys k ON k.user_id = u.id WHERE u.is_disabled = 0 LIMIT 1',
    );
    return rows.length > 0;
  }

  /** Who is disabled is signed out everywhere, at once. Throws `people.unknown`. */
  async changeUser(
    name: string,
    change: Partial<Pick<User, 'isAdmin' | 'groups' | 'isDisabled' | 'subject'>>,
  ): Promise<void> {
    const { id, isAdmin, groups, isDisabled, subject } = { ...(await this.readUser(name)), ...change };
    await this.#state.transaction(async (run) => {
      await run(
        'UPDATE candor.users SET is_admin = $2, groups = $3, is_disabled = $4, subject = $5 WHERE id = $1',
        [id, Number(isAdmin), JSON.stringify(groups), Number(isDisabled), subject ?? null],
      );
      if (isDisabled) await run('DELETE FROM candor.sign_ins WHERE user_id = $1', [id]);
    });
  }

  /** The key itself is not kept. */
  async addKey(
    userId: string,
    key: string,
    { createdAt, expiresAt }: Omit<KeyInfo, 'prefix'>,
  ): Promise<void> {
    const parsed = parseKey(key);
    if (parsed === undefined) throw new CandorError('internal.bug', 'a key of our own is none');
    await this.#state.run(
      'INSERT INTO candor.keys (prefix, user_id, hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [parsed.prefix, userId, parsed.hash.toString('hex'), createdAt, expiresAt ?? null],
    );
  }

  async listKeys(userId: string): Promise<readonly KeyInfo[]> {
    const rows = await this.#state.run(
      'SELECT prefix, created_at, expires_at FROM candor.keys WHERE user_id = $1 ORDER BY created_at, prefix',
      [userId],
    );
    return rows.map((row) => {
      const { prefix, created_at, expires_at } = KEY_INFO_ROW.parse(row);
      return { prefix, createdAt: created_at, ...(expires_at !== null && { expiresAt: expires_at }) };
    });
  }

  /** Throws `people.unknown`. Sign-ins made with it end as well. */
  async revokeKey(prefix: string): Promise<void> {
    await this.#state.transaction(async (run) => {
      const [owner] = await run('DELETE FROM candor.keys WHERE prefix = $1 RETURNING user_id', [prefix]);
      if (owner === undefined)
        throw new CandorError('people.unknown', `There is no key ${JSON.stringify(prefix.slice(0, 80))}.`);
      await run('DELETE FROM candor.sign_ins WHERE user_id = $1', [String(owner.user_id)]);
    });
  }

  /** Whose key it is; undefined where it is nobody's, has expired, or its user is disabled. */
  async userOfKey(key: string, now: string): Promise<User | undefined> {
    const parsed = parseKey(key);
    const [found] =
      parsed === undefined
        ? []
        : await this.#state.run('SELECT user_id, hash, expires_at FROM candor.keys WHERE prefix = $1', [
            parsed.prefix,
          ]);
    // Compared even so, that a wrong prefix takes as long as a wrong secret.
    const row = KEY_ROW.safeParse(found).data ?? { user_id: '', hash: NO_HASH, expires_at: null };
    const isSame = sameHash(parsed?.hash ?? Buffer.alloc(32, 1), Buffer.from(row.hash, 'hex'));
    return isSame && isAhead(row.expires_at, now) ? this.findAble(row.user_id) : undefined;
  }

  async addSignIn(userId: string, secret: string, expiresAt: string): Promise<void> {
    await this.#state.run('INSERT INTO candor.sign_ins (hash, user_id, expires_at) VALUES ($1, $2, $3)', [
      hashSecret(secret).toString('hex'),
      userId,
      expiresAt,
    ]);
  }

  async userOfSignIn(secret: string, now: string): Promise<User | undefined> {
    const [row] = await this.#state.run('SELECT user_id, expires_at FROM candor.sign_ins WHERE hash = $1', [
      hashSecret(secret).toString('hex'),
    ]);
    return row !== undefined && isAhead(String(row.expires_at), now)
      ? this.findAble(String(row.user_id))
      : undefined;
  }

  async endSignIn(secret: string): Promise<void> {
    await this.#state.run('DELETE FROM candor.sign_ins WHERE hash = $1', [
      hashSecret(secret).toString('hex'),
    ]);
  }

  async #find(sql: string, value: string): Promise<User | undefined> {
    const [row] = await this.#state.run(sql, [value]);
    return row === undefined ? undefined : USER_ROW.parse(row);
  }
}

function isAhead(expiresAt: string | null, now: string): boolean {
  return expiresAt === null || expiresAt > now;
}

/** A key is `cnd_`, eight letters to find it by, `_`, and a secret of 256 bits. */
const KEY = /^cnd_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

interface ParsedKey {
  /** Kept as it is. */
  readonly prefix: string;
  /** Of the whole key; a key is random enough to need no salt and no slow hash. */
  readonly hash: Buffer;
}

/** Undefined for what is no key. */
function parseKey(key: string): ParsedKey | undefined {
  const prefix = KEY.exec(key)?.[1];
  return prefix === undefined ? undefined : { prefix, hash: hashSecret(key) };
}

/** A key of random bytes: eight for its name, 32 for its secret. */
export function makeKey(random: (bytes: number) => Buffer): string {
  return `cnd_${random(4).toString('hex')}_${random(32).toString('base64url')}`;
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** In the same time wherever they differ. */
function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

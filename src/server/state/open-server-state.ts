import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { CandorError } from '../../errors.ts';
import {
  closeFolder,
  inTransaction,
  openSharedState,
  openStateFile,
  type SharedState,
  type StateFile,
} from '../../store/index.ts';

export type StateValue = string | number | null;
export type StateRow = Readonly<Record<string, unknown>>;
/** One statement with `$1`, `$2`, … for its values; tables are named `candor.<name>`. What it returned from is kept. */
export type RunState = (sql: string, values?: readonly StateValue[]) => Promise<readonly StateRow[]>;

/** What the server keeps: people, conversations, feedback, the audit log. A file, or PostgreSQL that several servers share. */
export interface ServerState {
  readonly run: RunState;
  /** Where other servers may have the same state; absent: it is this server's alone. */
  readonly shared?: SharedState;
  /** All that `work` runs is kept, or nothing of it. */
  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** People, conversations, feedback and the audit, beside what is derived from the database. */
const STATE_FILE = 'server.db';

/** `close` it. Throws `store.unusable`, and as connecting to a database does. */
export async function openServerState({
  derivedDirectory,
  server,
}: Pick<Config, 'derivedDirectory' | 'server'>): Promise<ServerState> {
  await closeFolder(derivedDirectory);
  return server?.state === undefined
    ? FileState.open(join(derivedDirectory, STATE_FILE))
    : PostgresState.open(server.state);
}

const NOTHING_MAKES_IT_AGAIN =
  'It holds people, conversations, feedback and the audit log: bring it back from a backup, or move it away to begin without them.';

/** The state of one server in one SQLite file; what was acknowledged survives a kill of the process. */
export class FileState implements ServerState {
  readonly #file: StateFile;
  /** One connection: a statement of somebody else may not fall into a transaction. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: StateFile) {
    this.#file = file;
  }

  /** Throws `store.unusable`. */
  static async open(path: string): Promise<FileState> {
    try {
      return new FileState(await openStateFile(path, { migrations: FILE_MIGRATIONS, isIrreplaceable: true }));
    } catch (error) {
      if (!(error instanceof CandorError) || error.code !== 'store.unusable') throw error;
      throw new CandorError(error.code, `${error.message} ${NOTHING_MAKES_IT_AGAIN}`, { cause: error.cause });
    }
  }

  readonly run: RunState = (sql, values) => this.#inTurn(async () => this.#runNow(sql, values));

  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result> {
    const run: RunState = async (sql, values) => this.#runNow(sql, values);
    return this.#inTurn(() => this.#file.longTransaction(() => work(run)));
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => this.#file.close());
  }

  #runNow(sql: string, values: readonly StateValue[] = []): readonly StateRow[] {
    return this.#file.statement(ofSqlite(sql)).all(...values);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** A file has one schema, and SQLite writes `?1` for `$1`. */
function ofSqlite(sql: string): string {
  return sql.replaceAll('candor.', '').replace(/\$(\d+)/g, '?$1');
}

/** The state in the schema `candor` of a PostgreSQL database, which several servers of one project may share. */
class PostgresState implements ServerState {
  readonly shared: SharedState;

  private constructor(shared: SharedState) {
    this.shared = shared;
  }

  /** Throws as connecting to a database does, and `store.unusable`. */
  static async open(url: string): Promise<PostgresState> {
    return new PostgresState(await openSharedState(url, { part: 'server', migrations: POSTGRES_MIGRATIONS }));
  }

  readonly run: RunState = (sql, values) => this.shared.run(sql, values);

  transaction<Result>(work: (run: RunState) => Promise<Result>): Promise<Result> {
    return this.shared.session((run) => inTransaction(run, () => work(run)));
  }

  close(): Promise<void> {
    return this.shared.close();
  }
}

// The tables of the server's state, version by version. Both lists make the same tables, each in words of its engine; what several
// servers tell each other is in PostgreSQL alone.

const FILE_1 = `CREATE TABLE chats (id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
     talk TEXT NOT NULL) STRICT;
   CREATE INDEX chats_by_update ON chats (updated_at DESC, id);
   CREATE TABLE messages (chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE, place INTEGER NOT NULL,
     message TEXT NOT NULL, PRIMARY KEY (chat_id, place)) STRICT;
   CREATE TABLE feedback (id INTEGER PRIMARY KEY, record_id TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT,
     at TEXT NOT NULL) STRICT;
   CREATE INDEX feedback_by_record ON feedback (record_id);`;

/** Conversations from before there were users belong to whoever sits at the machine. */
const FILE_2 = `ALTER TABLE chats ADD COLUMN owner TEXT NOT NULL DEFAULT 'local';
   ALTER TABLE feedback ADD COLUMN owner TEXT NOT NULL DEFAULT 'local';
   DROP INDEX chats_by_update;
   CREATE INDEX chats_of_owner ON chats (owner, updated_at DESC, id);`;

const FILE_3 = `CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_admin INTEGER NOT NULL, groups TEXT NOT NULL,
     is_disabled INTEGER NOT NULL DEFAULT 0, subject TEXT UNIQUE, created_at TEXT NOT NULL) STRICT;
   CREATE TABLE keys (prefix TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     hash TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT) STRICT;
   CREATE TABLE sign_ins (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
     expires_at TEXT NOT NULL) STRICT;
   CREATE TABLE oidc_flows (hash TEXT PRIMARY KEY, nonce TEXT NOT NULL, verifier TEXT NOT NULL,
     workspace TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT;
   CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
     detail TEXT NOT NULL) STRICT;
   CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log only grows'); END;
   CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log only grows'); END;
   ALTER TABLE chats ADD COLUMN share_id TEXT;
   CREATE UNIQUE INDEX chats_by_share ON chats (share_id);
   ALTER TABLE chats ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
   ALTER TABLE feedback ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
   DROP INDEX chats_of_owner;
   CREATE INDEX chats_of_owner ON chats (workspace, owner, updated_at DESC, id);`;

const FILE_4 = `CREATE TABLE quotas (workspace TEXT NOT NULL, who TEXT NOT NULL, per_hour INTEGER NOT NULL, count INTEGER NOT NULL,
     ends_at TEXT NOT NULL, PRIMARY KEY (workspace, who, per_hour)) STRICT;`;

const FILE_MIGRATIONS: readonly string[] = [FILE_1, FILE_2, FILE_3, FILE_4];

const POSTGRES_1 = `
CREATE TABLE candor.chats (id text PRIMARY KEY, title text NOT NULL, created_at text NOT NULL, updated_at text NOT NULL,
  talk text NOT NULL, workspace text NOT NULL, owner text NOT NULL, share_id text UNIQUE);
CREATE INDEX ON candor.chats (workspace, owner, updated_at DESC, id);
CREATE TABLE candor.messages (chat_id text NOT NULL REFERENCES candor.chats (id) ON DELETE CASCADE, place int NOT NULL,
  message text NOT NULL, PRIMARY KEY (chat_id, place));
CREATE TABLE candor.feedback (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, record_id text NOT NULL,
  verdict text NOT NULL, reason text, at text NOT NULL, workspace text NOT NULL, owner text NOT NULL);
CREATE INDEX ON candor.feedback (record_id);
CREATE TABLE candor.users (id text PRIMARY KEY, name text NOT NULL UNIQUE, is_admin int NOT NULL, groups text NOT NULL,
  is_disabled int NOT NULL DEFAULT 0, subject text UNIQUE, created_at text NOT NULL);
CREATE TABLE candor.keys (prefix text PRIMARY KEY, user_id text NOT NULL REFERENCES candor.users (id) ON DELETE CASCADE,
  hash text NOT NULL, created_at text NOT NULL, expires_at text);
CREATE TABLE candor.sign_ins (hash text PRIMARY KEY, user_id text NOT NULL REFERENCES candor.users (id) ON DELETE CASCADE,
  expires_at text NOT NULL);
CREATE TABLE candor.oidc_flows (hash text PRIMARY KEY, nonce text NOT NULL, verifier text NOT NULL,
  workspace text NOT NULL, expires_at text NOT NULL);
CREATE TABLE candor.audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at text NOT NULL, who text NOT NULL,
  what text NOT NULL, detail text NOT NULL);
CREATE FUNCTION candor.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit log only grows'; END $$;
CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON candor.audit
  FOR EACH STATEMENT EXECUTE FUNCTION candor.refuse_audit_change();`;

const POSTGRES_2 = `
CREATE TABLE candor.quotas (workspace text NOT NULL, who text NOT NULL, per_hour int NOT NULL, count int NOT NULL,
  ends_at text NOT NULL, PRIMARY KEY (workspace, who, per_hour));
CREATE SEQUENCE candor.server_numbers AS int CYCLE;
CREATE TABLE candor.runs (workspace text NOT NULL, id text NOT NULL, subject text NOT NULL, owner int NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'ended', 'lost')), is_cancelled int NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz, PRIMARY KEY (workspace, id));
CREATE UNIQUE INDEX one_run_in_work ON candor.runs (workspace, subject) WHERE state = 'running';
CREATE INDEX ON candor.runs (ended_at) WHERE state <> 'running';
CREATE TABLE candor.run_events (workspace text NOT NULL, run_id text NOT NULL, id int NOT NULL, name text NOT NULL,
  data text NOT NULL, PRIMARY KEY (workspace, run_id, id),
  FOREIGN KEY (workspace, run_id) REFERENCES candor.runs (workspace, id) ON DELETE CASCADE);
CREATE TABLE candor.records (workspace text NOT NULL, id text COLLATE "C" NOT NULL, reader text, kind text NOT NULL,
  record text NOT NULL, PRIMARY KEY (workspace, id));
CREATE INDEX ON candor.records (workspace, reader, id DESC);
CREATE TABLE candor.projects (workspace text PRIMARY KEY, version int NOT NULL);
CREATE TABLE candor.project_files (workspace text NOT NULL REFERENCES candor.projects (workspace), folder text NOT NULL,
  name text COLLATE "C" NOT NULL, content text NOT NULL, etag text NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace, folder, name));`;

const POSTGRES_MIGRATIONS: readonly string[] = [POSTGRES_1, POSTGRES_2];

import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { RunEvent } from '../parts/server-parts.ts';
import type { RunState, ServerState } from '../state/open-server-state.ts';

/** Locks of servers among all advisory locks of the database. */
export const SERVER_LOCKS = 226_368;
/** Hears of runs that are to be cancelled. */
export const CANCEL_CHANNEL = 'candor_cancel';

export interface KnownRun {
  readonly id: string;
  readonly subject: string;
  /** The server it is in work on. */
  readonly owner: number;
  readonly state: 'running' | 'ended' | 'lost';
}

const KNOWN_RUN = z.object({
  id: z.string(),
  subject: z.string(),
  owner: z.number(),
  state: z.enum(['running', 'ended', 'lost']),
});
const EVENT = z.object({ id: z.number(), name: z.string(), data: z.string() });
/** How long runs that have ended can be read, and their keys are known. */
const KEPT_FOR = '6 hours';

/** Runs and their events in the state that servers share. */
export class SharedRunTable {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  /** False: it is there already, or another run of its subject is in work. */
  async insert(id: string, subject: string, owner: number): Promise<boolean> {
    const rows = await this.#state.run(
      `INSERT INTO candor.runs (workspace, id, subject, owner, state) VALUES ($1, $2, $3, $4, 'running')
       ON CONFLICT DO NOTHING RETURNING id`,
      [this.#workspace, id, subject, owner],
    );
    return rows.length > 0;
  }

  /** The run that keeps one with this id and subject from beginning: itself, or the one in work. */
  async conflicting(id: string, subject: string): Promise<KnownRun | undefined> {
    const [row] = await this.#state.run(
      `SELECT id, subject, owner, state FROM candor.runs
       WHERE workspace = $1 AND (id = $2 OR (subject = $3 AND state = 'running')) ORDER BY id = $2 DESC LIMIT 1`,
      [this.#workspace, id, subject],
    );
    return row && KNOWN_RUN.parse(row);
  }

  async find(id: string): Promise<KnownRun | undefined> {
    const [row] = await this.#state.run(
      'SELECT id, subject, owner, state FROM candor.runs WHERE workspace = $1 AND id = $2',
      [this.#workspace, id],
    );
    return row && KNOWN_RUN.parse(row);
  }

  /** Takes up a lost run from its beginning; its events are forgotten. False: somebody else was first. */
  async takeUp(id: string, subject: string, owner: number): Promise<boolean> {
    return this.#state.transaction(async (run) => {
      const rows = await run(
        `UPDATE candor.runs SET state = 'running', owner = $4, is_cancelled = 0, begun_at = now(), ended_at = NULL
         WHERE workspace = $1 AND id = $2 AND state = 'lost' AND NOT EXISTS (SELECT 1 FROM candor.runs AS other
           WHERE other.workspace = $1 AND other.subject = $3 AND other.state = 'running') RETURNING id`,
        [this.#workspace, id, subject, owner],
      );
      await run('DELETE FROM candor.run_events WHERE workspace = $1 AND run_id = $2 AND $3 > 0', [
        this.#workspace,
        id,
        rows.length,
      ]);
      return rows.length > 0;
    });
  }

  /** Whether the server is there: its lock ends with its connection. */
  async isThere(server: number): Promise<boolean> {
    const [row] = await this.#state.run(
      `SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
         AND classid = $1 AND objid = $2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [SERVER_LOCKS, server],
    );
    return row !== undefined;
  }

  /** Says that the run will not end, with a last event that tells so; a run that has ended meanwhile stays as it is. */
  async lose({ id, owner }: Pick<KnownRun, 'id' | 'owner'>): Promise<void> {
    const { code, message, next } = new CandorError(
      'server.run-lost',
      'The server that worked on this is gone.',
    );
    const data = JSON.stringify({ code, message, next, requestId: id });
    await this.#state.run(
      `WITH lost AS (UPDATE candor.runs SET state = 'lost', ended_at = now()
         WHERE workspace = $1 AND id = $2 AND owner = $3 AND state = 'running' RETURNING id)
       INSERT INTO candor.run_events (workspace, run_id, id, name, data)
       SELECT $1, lost.id, coalesce((SELECT max(e.id) FROM candor.run_events AS e
         WHERE e.workspace = $1 AND e.run_id = $2), 0) + 1, 'error', $4 FROM lost`,
      [this.#workspace, id, owner, data],
    );
  }

  async eventsBehind(id: string, after: number): Promise<readonly RunEvent[]> {
    const rows = await this.#state.run(
      'SELECT id, name, data FROM candor.run_events WHERE workspace = $1 AND run_id = $2 AND id > $3 ORDER BY id',
      [this.#workspace, id, after],
    );
    return rows.map((row) => EVENT.parse(row));
  }

  /** Adds events to a run in work. Gives whether it was cancelled, and undefined where it is no longer this server's. */
  async addEvents(id: string, owner: number, events: readonly RunEvent[]): Promise<boolean | undefined> {
    const [row] = await this.#state.run(
      `WITH mine AS (SELECT is_cancelled FROM candor.runs
         WHERE workspace = $1 AND id = $2 AND owner = $3 AND state = 'running' FOR SHARE),
       put AS (${PUT_EVENTS} FROM json_array_elements(CAST($4 AS json)) AS e, mine ON CONFLICT DO NOTHING)
       SELECT is_cancelled FROM mine`,
      [this.#workspace, id, owner, listOf(events)],
    );
    return row && Number(row.is_cancelled) === 1;
  }

  /**
   * Ends a run with its last events, in one with what `write` keeps. False where it is no longer this server's: then nothing
   * is kept.
   */
  async end(
    id: string,
    owner: number,
    { events, as, write }: { events: readonly RunEvent[]; as: 'ended' | 'lost'; write?: Write },
  ): Promise<boolean> {
    return this.#state.transaction(async (run) => {
      const rows = await run(
        `WITH mine AS (UPDATE candor.runs SET state = $5, ended_at = now()
           WHERE workspace = $1 AND id = $2 AND owner = $3 AND state = 'running' RETURNING id),
         put AS (${PUT_EVENTS} FROM json_array_elements(CAST($4 AS json)) AS e, mine ON CONFLICT DO NOTHING)
         SELECT id FROM mine`,
        [this.#workspace, id, owner, listOf(events), as],
      );
      if (rows.length === 0) return false;
      await write?.(run);
      return true;
    });
  }

  /** Its owner hears of it at once, or when it next adds events. */
  async cancel(id: string): Promise<void> {
    await this.#state.run(
      `WITH cancelled AS (UPDATE candor.runs SET is_cancelled = 1
         WHERE workspace = $1 AND id = $2 AND state = 'running' RETURNING id)
       SELECT pg_notify('${CANCEL_CHANNEL}', $3) FROM cancelled`,
      [this.#workspace, id, JSON.stringify([this.#workspace, id])],
    );
  }

  /** Ids of runs in work on a server that are to be cancelled. */
  async cancelled(owner: number): Promise<readonly string[]> {
    const rows = await this.#state.run(
      `SELECT id FROM candor.runs WHERE workspace = $1 AND owner = $2 AND state = 'running' AND is_cancelled = 1`,
      [this.#workspace, owner],
    );
    return rows.map(({ id }) => String(id));
  }

  /** Forgets what ended long ago, and what was in work on servers that are gone. */
  async prune(): Promise<void> {
    const left = await this.#state.run(
      `SELECT id, owner FROM candor.runs WHERE workspace = $1 AND state = 'running' AND begun_at < now() - interval '1 minute'`,
      [this.#workspace],
    );
    for (const { id, owner } of left)
      if (!(await this.isThere(Number(owner)))) await this.lose({ id: String(id), owner: Number(owner) });
    await this.#state.run(
      `DELETE FROM candor.runs WHERE workspace = $1 AND state <> 'running' AND ended_at < now() - interval '${KEPT_FOR}'`,
      [this.#workspace],
    );
  }
}

export type Write = (within: RunState) => Promise<void>;

const PUT_EVENTS = `INSERT INTO candor.run_events (workspace, run_id, id, name, data)
  SELECT $1, $2, CAST(e->>0 AS int), e->>1, e->>2`;

/** One value for all: JSON in JSON, whose escapes keep out what PostgreSQL cannot hold. */
function listOf(events: readonly RunEvent[]): string {
  return JSON.stringify(events.map(({ id, name, data }) => [id, name, data]));
}

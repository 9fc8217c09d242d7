import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import { BUNDLE_CHANNEL, derivedBundle, type PostgresListener, type SharedState } from '../../store/index.ts';
import { CANCEL_CHANNEL, SERVER_LOCKS, SharedRunTable } from '../runs/shared-run-table.ts';
import { SharedRuns } from '../runs/shared-runs.ts';
import type { ProjectSessions } from '../sessions/project-sessions.ts';
import { PROJECT_CHANNEL } from '../shared/project-table.ts';
import type { ServerState } from '../state/open-server-state.ts';

/** Notices are heard at once; what was missed is found by looking. */
const LOOK_EVERY_MS = 15_000;
const PRUNE_EVERY_MS = 300_000;
const CANCELLED = z.tuple([z.string(), z.string()]);

interface Watched {
  readonly projectSessions: ProjectSessions;
  readonly runs: SharedRuns;
  readonly table: SharedRunTable;
}

/** One server among those of an installation: others see that it lives, and it hears what they do. */
export class Member {
  readonly #state: ServerState;
  readonly #number: number;
  readonly #onTrouble: (error: Error) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #timers: NodeJS.Timeout[] = [];
  #ear: PostgresListener | undefined;

  private constructor(state: ServerState, number: number, onTrouble: (error: Error) => void) {
    this.#state = state;
    this.#number = number;
    this.#onTrouble = onTrouble;
  }

  /** `onTrouble` hears of what others have changed and this server could not take over. Throws as the state does. */
  static async join(
    state: ServerState,
    shared: SharedState,
    onTrouble: (error: Error) => void,
  ): Promise<Member> {
    const [row] = await state.run("SELECT nextval('candor.server_numbers') AS number");
    const member = new Member(state, Number(row?.number), onTrouble);
    member.#ear = await shared.listen({
      channels: [CANCEL_CHANNEL, PROJECT_CHANNEL, BUNDLE_CHANNEL],
      lock: [SERVER_LOCKS, member.#number],
      onNotice: (channel, payload) => member.#hear(channel, payload),
      onConnected: () => member.#lookAtAll(),
    });
    member.#every(LOOK_EVERY_MS, () => member.#lookAtAll());
    member.#every(PRUNE_EVERY_MS, () => {
      for (const { table } of member.#watched.values()) member.#try(table.prune());
    });
    return member;
  }

  /** The runs of a workspace whose project the projectSessions keeps up to date. */
  runsOf(workspace: string, projectSessions: ProjectSessions): SharedRuns {
    const table = new SharedRunTable(this.#state, workspace);
    const runs = new SharedRuns(table, this.#number);
    this.#watched.set(workspace, { projectSessions, runs, table });
    this.#try(table.prune());
    return runs;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ear?.close();
  }

  #every(ms: number, work: () => void): void {
    this.#timers.push(setInterval(work, ms).unref());
  }

  #hear(channel: string, payload: string): void {
    if (channel === CANCEL_CHANNEL) {
      const [workspace, id] = CANCELLED.parse(JSON.parse(payload));
      this.#watched.get(workspace)?.runs.cancelHere(id);
      return;
    }
    for (const [workspace, { projectSessions }] of this.#watched)
      if (payload === (channel === PROJECT_CHANNEL ? workspace : derivedBundle(workspace)))
        this.#try(projectSessions.refresh());
  }

  #lookAtAll(): void {
    for (const { projectSessions, runs } of this.#watched.values()) {
      this.#try(runs.catchUp());
      this.#try(projectSessions.refresh());
    }
  }

  /** Whoever asks hears of a state that cannot be reached; it is looked at again. */
  #try(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error instanceof CandorError && error.stage === 'database') return;
      this.#onTrouble(error instanceof Error ? error : new Error(String(error)));
    });
  }
}

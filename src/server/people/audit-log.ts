import { z } from 'zod';
import type { ServerState } from '../state/open-server-state.ts';

/** What happened. */
export interface AuditEntry {
  /** ISO. */
  readonly at: string;
  readonly who: string;
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const ROW = z.object({ at: z.string(), who: z.string(), what: z.string(), detail: z.string() });

/** What people did. It only grows: the tables themselves refuse a change. */
export class AuditLog {
  readonly #state: ServerState;

  constructor(state: ServerState) {
    this.#state = state;
  }

  async add({ at, who, what, detail }: AuditEntry): Promise<void> {
    await this.#state.run('INSERT INTO candor.audit (at, who, what, detail) VALUES ($1, $2, $3, $4)', [
      ...[at, who, what],
      JSON.stringify(detail),
    ]);
  }

  /** The oldest first; `since` and `until` are ISO times, the latter left out itself. */
  async list(since: string, until: string, most: number): Promise<readonly AuditEntry[]> {
    const rows = await this.#state.run(
      'SELECT at, who, what, detail FROM candor.audit WHERE at >= $1 AND at < $2 ORDER BY id LIMIT $3',
      [since, until, most],
    );
    return rows.map((row) => {
      const { detail, ...rest } = ROW.parse(row);
      return { ...rest, detail: z.record(z.string(), z.unknown()).parse(JSON.parse(detail)) };
    });
  }
}

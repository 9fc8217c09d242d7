import type { ServerState } from '../state/server-state.ts';

const HOUR_MS = 3_600_000;

/** How many questions people of one workspace have asked in their hour, which begins with the first of it; over all servers. */
export class QuestionCounter {
  readonly #state: ServerState;
  readonly #workspace: string;

  constructor(state: ServerState, workspace: string) {
    this.#state = state;
    this.#workspace = workspace;
  }

  /** Takes all of them, or none and gives false where they are more than are left. Who is given another quota counts anew. */
  async take(who: string, perHour: number, { now, count }: { now: Date; count: number }): Promise<boolean> {
    if (count > perHour) return false;
    const rows = await this.#state.run(
      `INSERT INTO candor.quotas (workspace, who, per_hour, count, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace, who, per_hour) DO UPDATE SET
         count = CASE WHEN quotas.ends_at > $6 THEN quotas.count + excluded.count ELSE excluded.count END,
         ends_at = CASE WHEN quotas.ends_at > $6 THEN quotas.ends_at ELSE excluded.ends_at END
       WHERE quotas.ends_at <= $6 OR quotas.count + excluded.count <= $3
       RETURNING count`,
      [
        this.#workspace,
        who,
        perHour,
        count,
        new Date(now.getTime() + HOUR_MS).toISOString(),
        now.toISOString(),
      ],
    );
    return rows.length > 0;
  }

  /** How many there may still be. */
  async left(who: string, perHour: number, now: Date): Promise<number> {
    const [row] = await this.#state.run(
      'SELECT count FROM candor.quotas WHERE workspace = $1 AND who = $2 AND per_hour = $3 AND ends_at > $4',
      [this.#workspace, who, perHour, now.toISOString()],
    );
    return Math.max(0, perHour - Number(row?.count ?? 0));
  }
}

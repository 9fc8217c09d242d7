/** The one place that knows pg-boss: our connection below it, our settings on it. */
import type PgBoss from 'pg-boss';
import { loadDriver } from '../database/index.ts';
import { CandorError } from '../errors.ts';
import { inTransaction, type RunSql, type SharedState } from '../store/index.ts';

/** Its tables; those of ours are in the schema `candor`. */
export const QUEUE_SCHEMA = 'candor_queue';

const DAYS_KEPT = 30;
/** Longer than anybody waits: the library would throw away what has waited so long. */
const DAYS_WAITING = 3_650;

export interface RetryRules {
  /** Tries after the first one; a worker's death is none of them. */
  readonly limit: number;
  /** Seconds before the first of them; each later pause is twice as long, and a little at random. */
  readonly delaySeconds: number;
}

export const RETRY_RULES: RetryRules = { limit: 4, delaySeconds: 5 };

/**
 * pg-boss without its timers: it stores jobs, gives each to one taker and counts tries. It neither expires jobs, since a
 * long one is no dead one, nor keeps time, see docs/decisions/0035-jobs.md. Throws `database.driver-missing`.
 */
export async function openBoss(state: SharedState): Promise<PgBoss> {
  const Boss = await loadDriver('the job queue', 'npm install pg-boss@10.4.2', async () => {
    const { default: boss } = await import('pg-boss');
    return boss;
  });
  const boss = new Boss({
    db: { executeSql: (text: string, values?: unknown[]) => execute(state, text, values) },
    schema: QUEUE_SCHEMA,
    ...{ supervise: false, schedule: false },
    archiveCompletedAfterSeconds: DAYS_KEPT * 86_400,
  });
  // Without a listener an error of it would end the program; what it tells is thrown to us as well.
  boss.on('error', () => undefined);
  // Two that start at once would both make the tables.
  await state.session((run) =>
    inTransaction(run, async () => {
      await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [QUEUE_SCHEMA]);
      await boss.start();
    }),
  );
  return boss;
}

/** What it runs within a transaction of ours. */
export function within(run: RunSql): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: [...(await run(text, values))] }) };
}

/** How jobs of ours are sent. */
export function sendOptions({ limit, delaySeconds }: RetryRules): PgBoss.SendOptions {
  return {
    ...{ retryLimit: limit, retryDelay: delaySeconds, retryBackoff: true },
    retentionDays: DAYS_WAITING,
  };
}

/** Makes the queues that are not there yet; of each one job can be active, by an index of the library. */
export async function makeQueues(boss: PgBoss, names: readonly string[]): Promise<void> {
  for (const name of names) await boss.createQueue(name, { name, policy: 'singleton' });
}

/** Throws `internal.bug`: within a transaction of ours it was there and in the state asked for. */
export function mustAffectOne(what: string, reply: unknown): void {
  const affected = typeof reply === 'object' && reply !== null && 'affected' in reply ? reply.affected : 0;
  if (affected !== 1) throw new CandorError('internal.bug', `${what} changed ${String(affected)} jobs`);
}

/** Scripts of its own open a transaction: one that fails must not stay on a connection that others get. */
async function execute(
  state: SharedState,
  text: string,
  values: unknown[] | undefined,
): Promise<{ rows: Record<string, unknown>[] }> {
  if (values !== undefined) return { rows: [...(await state.run(text, values))] };
  return state.session(async (run) => {
    try {
      return { rows: [...((await run(text)) ?? [])] };
    } catch (error) {
      await run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

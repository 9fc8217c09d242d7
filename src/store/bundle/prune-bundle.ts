import { inTransaction, type SharedState } from '../shared-state.ts';
import { BUNDLE_LOCK, PULL_LOCKS } from './bundle-schema.ts';

/** The newest ones, so that a server may go back. */
const KEPT = 2;

/** Drops old generations of a bundle that nobody is pulling, and the parts that no generation needs. */
export async function pruneBundle(state: SharedState, bundle: string): Promise<void> {
  await state.session((run) =>
    inTransaction(run, async () => {
      await run('SELECT pg_advisory_xact_lock($1)', [BUNDLE_LOCK]);
      const old = await run(
        'SELECT id FROM candor.bundle_generations WHERE bundle = $1 ORDER BY id DESC OFFSET $2',
        [bundle, KEPT],
      );
      for (const { id } of old) {
        const [lock] = await run('SELECT pg_try_advisory_xact_lock($1, $2) AS is_free', [PULL_LOCKS, id]);
        if (lock?.is_free !== true) continue;
        await run(
          `DELETE FROM candor.bundle_chunks WHERE hash IN (
             SELECT unnest(chunks) FROM candor.bundle_files WHERE generation = $1
             EXCEPT SELECT unnest(chunks) FROM candor.bundle_files WHERE generation <> $1)`,
          [id],
        );
        await run('DELETE FROM candor.bundle_generations WHERE id = $1', [id]);
      }
      // Of publishers that ended before their generation was whole.
      await run(`DELETE FROM candor.bundle_chunks WHERE sent_at < now() - interval '1 day'
        AND hash NOT IN (SELECT unnest(chunks) FROM candor.bundle_files)`);
    }),
  );
}

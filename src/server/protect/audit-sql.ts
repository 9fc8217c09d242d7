import type { Context } from 'hono';
import type { SqlOutcome } from '../../answering/index.ts';
import type { ServerEnv } from '../server-parts.ts';

/** Enters SQL that a person wrote, or an agent of theirs, in the audit log. */
export async function auditSql(context: Context<ServerEnv>, sql: string, outcome: SqlOutcome): Promise<void> {
  const rows = outcome.kind === 'answered' ? outcome.rows.length : 0;
  const detail = { sql, outcome: outcome.kind, rows };
  await context.get('parts').people?.audit(context.get('person').name, 'sql', detail);
}

import { z } from 'zod';
import { CandorError } from '../../errors.ts';
import type { Plan } from '../database.ts';

const PLAN = z.object({
  GlobalStats: z.object({ bytesAssigned: z.number().optional() }).optional(),
  Operations: z.array(z.array(z.object({ operation: z.string() }))),
});
/** Operators that change something. EXPLAIN takes SELECT, DML and CREATE TABLE AS; only the first is read. */
const WRITING = /^(?:insert|update|delete|merge|create|unload|copy|multi|alter|drop|truncate|replace)/i;
/** Ends the plan of every query. */
const READING_ROOT = 'result';

/**
 * Reads the text of `EXPLAIN USING JSON`; `bytes` is what remains after pruning. Throws `database.not-read-only` when
 * the plan does more than bring rows, and `database.bad-answer` when it cannot be read: then nothing is run.
 */
export function readSnowflakePlan(text: string): Plan {
  let plan: z.infer<typeof PLAN>;
  try {
    plan = PLAN.parse(JSON.parse(text));
  } catch (error) {
    throw new CandorError('database.bad-answer', 'the plan cannot be read', { cause: error });
  }
  const operations = plan.Operations.flat().map(({ operation }) => operation);
  const writing = operations.find((operation) => WRITING.test(operation));
  if (writing !== undefined || !operations.some((operation) => operation.toLowerCase() === READING_ROOT)) {
    throw new CandorError(
      'database.not-read-only',
      `the engine’s plan holds ${writing ?? 'no result'}: not a reading statement`,
    );
  }
  const bytes = plan.GlobalStats?.bytesAssigned;
  return bytes === undefined ? {} : { bytes };
}

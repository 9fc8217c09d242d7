/** A query that the engine refuses, with its true words; BAR-SQL §5. */
import { guarded } from '../../../database/index.ts';
import { CandorError } from '../../../errors.ts';
import { parse } from '../../../sql/index.ts';
import type { Seed } from '../seeds/make-seed.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { Mutated, Mutation, MutationSource } from './mutation.ts';

export const REFLECTIONS: readonly Mutation[] = FAULTS.map((fault) => ({
  category: 'reflection',
  kind: fault.kind,
  mutate: (seed, source) => breakQuery(seed, fault, source),
}));

const LIMITS = { rows: 10, bytes: 100_000, timeoutMs: 5_000 };

async function breakQuery(
  { sql, otherSql, worded }: Seed,
  { damage }: Fault,
  source: MutationSource,
): Promise<Mutated | undefined> {
  const errorSql = damage(sql, source.dice);
  if (errorSql === undefined || errorSql === sql) return undefined;
  const errorMessage = await provoke(errorSql, source);
  if (errorMessage === undefined) return undefined;
  return {
    kind: '',
    question: worded.question,
    due: { kind: 'answered' },
    gold: sql,
    goldKind: 'sql',
    ...(otherSql !== undefined && { otherGolds: [otherSql] }),
    edits: [],
    errorSql,
    errorMessage,
  };
}

/**
 * What the engine says; undefined where it says nothing, so that the fault is none here. Text that is SQL runs through
 * the guard; what is SQL no more is our own text, and the engine is only asked for its plan.
 */
async function provoke(sql: string, { engine, signal }: MutationSource): Promise<string | undefined> {
  const isSql = parse(sql, engine.dialect).ok;
  try {
    if (isSql) await guarded(engine, { kind: 'own-queries' }).query(sql, LIMITS, signal);
    else await engine.explain(sql, signal);
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CandorError && error.code === 'database.query-failed')
      return error.cause instanceof CandorError ? error.cause.message : error.message;
    if (error instanceof CandorError) return undefined;
    throw error;
  }
}

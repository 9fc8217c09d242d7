/** Readings of several meanings that give the same rows are no reason to ask. */
import type { Decision } from '../boundary/index.ts';
import type { QueryResult } from '../database/index.ts';
import type { Reading } from '../reasoning/index.ts';
import { groupResults } from '../results/index.ts';
import type { AnswerContext } from './answer-context.ts';
import { runCapped } from './run-sql.ts';

/** Rows that are compared of each reading, at most. */
const MOST_ROWS = 1_000;
/** Numbers this close are equal; as in the choice among candidates of a model. */
const TOLERANCE = 1e-3;

/**
 * The decision, or the likeliest reading where running the rivals shows that they all tell the same. Nothing is run where
 * the question may not be run; a rival that fails or is cut short settles nothing.
 */
export async function mergeEquivalentReadings(
  decision: Decision,
  { session, options, trace }: AnswerContext,
): Promise<Decision> {
  if (decision.kind !== 'boundary' || decision.rivals === undefined) return decision;
  if (options.execute === false) return decision;
  const limits = { ...session.config.limits, rows: Math.min(MOST_ROWS, session.config.limits.rows) };
  const capped = { database: session.database, config: { ...session.config, limits } };
  const results: QueryResult[] = [];
  for (const { sql } of decision.rivals) {
    const result = await trace.stage('compare', () => runCapped(sql, capped, options.signal));
    if (result instanceof Error || result.truncatedBy !== null) return decision;
    results.push(result);
  }
  // Rivals without rows tell nothing about each other.
  if (results.some(({ rows }) => rows.length === 0)) return decision;
  const groups = groupResults(results, {
    columns: 'given',
    rows: 'bag',
    tolerance: TOLERANCE,
    textEqualsNumber: false,
  });
  if (groups.some((group) => group !== groups[0])) return decision;
  return { kind: 'sql', readings: agreed(decision.boundary, decision.rivals) };
}

function agreed(
  boundary: Extract<Decision, { readonly kind: 'boundary' }>['boundary'],
  [first, ...others]: readonly Reading[],
): readonly Reading[] {
  if (first === undefined) return [];
  const phrase = boundary.kind === 'clarify' ? boundary.phrase : '';
  const text = `“${phrase}” may be several things here; each gives the same rows.`;
  return [{ ...first, assumptions: [...first.assumptions, { kind: 'value', text }] }, ...others];
}

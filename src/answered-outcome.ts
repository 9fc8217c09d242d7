import type { Check } from './answer.ts';
import type { QueryResult } from './database/index.ts';
import type { Candidate } from './generation/index.ts';
import type { Hypotheses } from './reasoning/index.ts';
import type { ScoredAnswer } from './score-answer.ts';
import type { Outcome } from './stamp-answer.ts';
import { suggestChart } from './suggest-chart.ts';

/** The SQL that was chosen and what came of it. */
export interface Chosen {
  readonly candidate: Candidate;
  /** Those before the run. */
  readonly checks: readonly Check[];
  readonly scored: ScoredAnswer;
  /** Null: it was not run. */
  readonly result: QueryResult | null;
  readonly chart: Hypotheses['chart'];
}

export function answeredOutcome(
  { candidate, checks, scored, result, chart }: Chosen,
  others: readonly Candidate[],
): Outcome {
  const executed: Check =
    result === null
      ? { name: 'execute', passed: false, detail: 'not run' }
      : { name: 'execute', passed: true, detail: `${result.rows.length} rows` };
  return {
    kind: 'answered',
    sql: candidate.sql,
    columns: result?.columns ?? [],
    rows: result?.rows ?? [],
    truncatedBy: result?.truncatedBy ?? null,
    ...(result?.notices && { notices: result.notices }),
    ...(result !== null && chart !== undefined && suggestChart(chart, result)),
    explanation: candidate.explanation,
    ...(candidate.probability !== undefined && { probability: candidate.probability }),
    ...(scored.kind === 'scored' && { risk: scored.risk }),
    ...(scored.kind === 'unassessed' && { unassessed: scored.because }),
    evidence: candidate.evidence,
    assumptions: candidate.assumptions,
    checks: [...checks, executed],
    alternatives: others.map((other) => ({ label: other.explanation, question: '', sql: other.sql })),
  };
}

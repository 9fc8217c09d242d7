import type { Assumption, Evidence } from '../answer.ts';
import type { Reading } from '../reasoning/roles/reading.ts';

/** One SQL text to consider, with why every part stands in it. */
export interface Candidate {
  readonly sql: string;
  readonly explanation: string;
  /** Absent where nothing tells. */
  readonly probability?: number;
  /** The semantic model defines every figure of it. */
  readonly isDefined?: true;
  readonly evidence: readonly Evidence[];
  readonly assumptions: readonly Assumption[];
}

/** Readings as candidates, best first. The grounded engine has printed the SQL; here it gets its evidence. */
export function writeCandidates(readings: readonly Reading[]): Candidate[] {
  return readings.map((reading) => ({
    sql: reading.sql,
    explanation: reading.explanation,
    probability: reading.probability,
    ...(reading.metrics.length > 0 && { isDefined: true as const }),
    assumptions: ledgerOf(reading.assumptions),
    evidence: reading.parts.map((part) => {
      const mention = part.cause.mention === undefined ? undefined : reading.mentions[part.cause.mention];
      return {
        sqlSpan: part.span,
        questionSpan: mention?.span,
        part: part.text,
        certainty: part.cause.certainty,
        why: part.cause.why,
      };
    }),
  }));
}

/** Every default with an id of its own, so that a person can name it. */
function ledgerOf(assumptions: readonly Assumption[]): readonly Assumption[] {
  const used = new Map<string, number>();
  return assumptions.map((assumption) => {
    const id = assumption.id ?? assumption.kind;
    const times = (used.get(id) ?? 0) + 1;
    used.set(id, times);
    return { ...assumption, id: times === 1 ? id : `${id}-${times}` };
  });
}

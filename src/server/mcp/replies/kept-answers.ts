import type { Answer } from '../../../answer.ts';
import type { Session } from '../../../session/index.ts';

const MOST_KEPT = 200;

const KEPT = new WeakMap<Session, Map<string, Answer>>();

/**
 * The last answers of a session by their records, without their rows: what `explain_answer` tells, and what an
 * unanswered question back falls back to. It is memory alone: what is not here is found by asking the record again.
 */
export const keptAnswers = {
  keep(session: Session, answer: Answer): void {
    const kept = KEPT.get(session) ?? new Map<string, Answer>();
    KEPT.set(session, kept);
    kept.set(answer.recordId, answer.kind === 'answered' ? { ...answer, rows: [] } : answer);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  },
  find(session: Session, recordId: string): Answer | undefined {
    return KEPT.get(session)?.get(recordId);
  },
};

import type { Session } from '../../session.ts';
import { type TrainingItem, toTrainingItem } from './training-set.ts';

/** The verified pairs of a project as questions to learn from; those that the rules cannot read are left out. */
export function openPairSet(session: Session, signal: AbortSignal): TrainingItem[] {
  const now = session.clock().toISOString().slice(0, 10);
  return session.examples.flatMap(({ question, sql }) => {
    const expect = { kind: 'answered', sql, orderMatters: /\border\s+by\b/i.test(sql) } as const;
    return (
      toTrainingItem({ id: question, question, now, expect }, session, { policy: 'answer', signal }) ?? []
    );
  });
}

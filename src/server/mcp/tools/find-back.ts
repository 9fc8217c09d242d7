import type { Clarify, FollowUp } from '../../../answer.ts';
import { CandorError } from '../../../errors.ts';
import type { Session } from '../../../session.ts';
import { keptAnswers } from '../kept-answers.ts';

/** A question back that stays open: as it was asked or, after a restart, as its record has it. Throws `record.*`, `question.not-asked`. */
export async function findBack(
  recordId: string,
  session: Session,
): Promise<Pick<Clarify | FollowUp, 'kind' | 'recordId' | 'question' | 'ask' | 'options'>> {
  const kept = keptAnswers.find(session, recordId);
  if (kept?.kind === 'clarify' || kept?.kind === 'follow_up') return kept;
  const { back, id, question } = await session.records.read(recordId);
  if (back === undefined)
    throw new CandorError('question.not-asked', `The record ${id} is of no question back.`);
  const { kind, phrase, options } = back;
  return { kind, recordId: id, question, options, ask: `What is meant by “${phrase}”?` };
}

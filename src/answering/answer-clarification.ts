import type { Answer } from '../answer.ts';
import { mergeAnswer } from '../boundary/index.ts';
import { CandorError } from '../errors.ts';
import type { Session } from '../session/index.ts';
import { readOwnRecord } from './answer/answer-records.ts';
import { type AskOptions, ask } from './ask.ts';

/**
 * Answers a question back by number, label, words of one's own, "any" or "all": both are merged into a question that stands
 * alone, and that is asked as of the same day. Throws `record.*`, and `question.not-asked` where the record is of no question
 * back or the answer fits none of its options.
 */
export async function answerClarification(
  recordId: string,
  reply: string,
  session: Session,
  options: Omit<AskOptions, 'merged' | 'after'> = {},
): Promise<Answer> {
  const { back, now, hint, assume, mode, tables, id } = await readOwnRecord(recordId, session);
  if (back === undefined)
    throw new CandorError('question.not-asked', `The record ${id} is of no question back.`);
  const merged = mergeAnswer(back, reply);
  if (merged.kind === 'unclear') throw new CandorError('question.not-asked', merged.because);
  const { question, assumed } = merged;
  return ask(question, session, {
    now: new Date(now),
    ...(hint !== undefined && { hint }),
    ...(assume !== undefined && { assume }),
    ...(mode !== undefined && { mode }),
    ...(tables !== undefined && { tables }),
    ...options,
    merged: { rounds: back.rounds + 1, ...(assumed !== undefined && { assumed }) },
  });
}

import { explainQuestion } from '../../answering/index.ts';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session.ts';

/** Shorter ones are words of an answer as well as a question. */
const FEWEST_WORDS = 3;
/** So many words that mean nothing here are no answer to what was asked back either. */
const MANY_WORDS = 5;

/** Whether a text is a question of its own: the engine reads one in it, or refuses it for what it asks. */
export function standsAlone(text: string, session: Session, now: Date): boolean {
  const words = text.trim().split(/\s+/).length;
  if (words < FEWEST_WORDS) return false;
  try {
    const { kind } = explainQuestion(text, session, { now }).decision;
    return kind === 'reject' ? words >= MANY_WORDS : kind !== 'abstain';
  } catch (error) {
    if (error instanceof CandorError && error.code.startsWith('question.')) return false;
    throw error;
  }
}

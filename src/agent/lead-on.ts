import type { Abstain, Reject, RejectCause } from '../answer.ts';
import { suggestQuestions, whatFollows } from '../answering/index.ts';
import { replaceWords } from '../boundary/index.ts';
import type { TurnDesk } from './open-turn-desk.ts';

const MOST = 3;
/** They ask for nothing in the data: any question that has an answer leads on. */
const OPEN: ReadonlySet<RejectCause> = new Set(['no-question', 'opinion', 'other-language']);

/**
 * Questions that may be asked in place of one that got no answer: the same about something that is here, a figure that is near, or
 * what can be asked in general. Each is read first, so that none ends the same way, and none is the question itself.
 */
export function leadOn(
  answer: Reject | Abstain,
  { session, now }: Pick<TurnDesk, 'session' | 'now'>,
): readonly string[] {
  if (answer.kind === 'reject' && OPEN.has(answer.cause)) return suggestQuestions(session).slice(0, MOST);
  const asked = new Set([answer.question, answer.readAs ?? ''].map(plain));
  const isNew = (question: string): boolean => {
    const isSame = asked.has(plain(question));
    asked.add(plain(question));
    return !isSame;
  };
  return wordingsOf(answer)
    .filter(isNew)
    .filter((question) => LEADING.has(whatFollows(question, session, now) ?? ''))
    .slice(0, MOST);
}

const LEADING: ReadonlySet<string> = new Set(['sql', 'clarify', 'follow_up']);

function wordingsOf(answer: Reject | Abstain): readonly string[] {
  const { nearest = [], missing, question, readAs = question } = answer;
  const swapped = missing ? nearest.flatMap((name) => replaceWords(readAs, missing, name) ?? []) : [];
  const isFigure = answer.kind === 'reject' && (answer.reason === 'metric' || answer.cause === 'no-date');
  return isFigure ? [...swapped, ...nearest] : swapped;
}

/** Signs and case aside it is the same question. */
function plain(question: string): string {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

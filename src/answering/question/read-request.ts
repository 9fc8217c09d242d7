import { normaliseQuestion, type Request } from '../../boundary/index.ts';
import { CandorError } from '../../errors.ts';
import { inContext } from '../../reasoning/grounded/index.ts';
import type { Session } from '../../session/index.ts';

/** Of a question with all that it goes on from, as of every question. */
const MAX_CHARACTERS = 2_000;

/**
 * The question as the stages read it: the words of the trade replaced by their meaning, and behind the earlier questions
 * it goes on from. Throws `question.*`.
 */
export function readRequest(
  question: string,
  after: readonly string[],
  { semantics, knowledge }: Pick<Session, 'semantics' | 'knowledge'>,
  now: Date,
): Request {
  const { original, text } = normaliseQuestion(question, semantics);
  const earlier = after.map((turn) => normaliseQuestion(turn, semantics).text);
  if (earlier.length === 0) return { original, text };
  const joined = inContext(text, earlier, knowledge, now);
  if (joined.length <= MAX_CHARACTERS) return { original, text: joined };
  const [length, most] = [joined.length, MAX_CHARACTERS].map((count) => count.toLocaleString('en'));
  throw new CandorError(
    'question.too-long',
    `The question has ${length} characters with the earlier ones it goes on from; the limit is ${most}.`,
  );
}

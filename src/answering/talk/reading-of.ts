import { hypothesise, type Reading } from '../../reasoning/index.ts';
import type { TalkContext } from './talk-context.ts';

/** The reading that a question would be answered by; undefined where it would not be answered. */
export function readingOf(
  question: string,
  { session, now }: Pick<TalkContext, 'session' | 'now'>,
): Reading | undefined {
  const { boundary, readings, unexplained } = hypothesise(question, session.knowledge, now);
  const [best] = readings;
  const isSure = best !== undefined && best.probability >= session.config.minProbability;
  return boundary === undefined && unexplained.length === 0 && isSure ? best : undefined;
}

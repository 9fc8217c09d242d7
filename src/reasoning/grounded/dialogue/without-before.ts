import type { Boundary } from '../../reading.ts';
import type { GroundedKnowledge } from '../knowledge.ts';
import type { Mention } from '../mention/mention.ts';
import { readTurn } from './read-turn.ts';

/** Figures offered as what the words may be about. */
const MAX_OPTIONS = 4;

/** "only 2024" with no question before it: asked back, since any answer would be a guess. Null where it stands alone. */
export function withoutBefore(
  question: string,
  mentions: readonly Mention[],
  { semantics }: GroundedKnowledge,
): Boundary | null {
  const turn = readTurn(question, mentions, { from: 0, until: mentions.length }, true);
  if (turn === undefined || hasUnreadName(mentions)) return null;
  const phrase = question.slice(0, mentions.at(-1)?.span.end).replace(/[?.!\s]+$/, '');
  const figures = semantics.metrics.filter((metric) => metric.table !== undefined).slice(0, MAX_OPTIONS);
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase,
    ask: `“${phrase}” goes on from an earlier question, and there is none. What is it about?`,
    options: figures.map(({ name }) => ({ label: name, question: `${name}; ${phrase}` })),
  };
}

/** "biggest municipality by headcount": a word that nothing here explains may be its subject, and what is said is that it was not understood. */
function hasUnreadName(mentions: readonly Mention[]): boolean {
  return mentions.some(
    ({ isUnknown, isVerbLike, cue, time, number }) =>
      isUnknown && !isVerbLike && cue === undefined && time === undefined && number === undefined,
  );
}

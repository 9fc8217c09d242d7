import type { Boundary } from '../../../roles/reading.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { findMentions } from '../mention/find-mentions.ts';
import type { Mention } from '../mention/mention.ts';
import { findTimes } from '../read/find-times.ts';
import { tokenise } from '../read/tokenise.ts';
import { readTurn } from './read-turn.ts';

/** Turns that one question may go on from; older ones have little to say to it. */
const MOST_TURNS = 40;

/**
 * A question with the earlier ones that it goes on from, as one text: `revenue by month; only 2024`. A question that
 * stands alone stays as it is. `earlier` are oldest first.
 */
export function inContext(
  question: string,
  earlier: readonly string[],
  knowledge: GroundedKnowledge,
  now: Date,
): string {
  if (!goesOn(question, knowledge, now)) return question;
  const turns = [question];
  for (const before of earlier.slice(-MOST_TURNS).reverse()) {
    turns.unshift(before.replace(/[?.!;\s]+$/, ''));
    if (!goesOn(before, knowledge, now)) break;
  }
  return turns.join('; ');
}

function goesOn(question: string, knowledge: GroundedKnowledge, now: Date): boolean {
  const times = findTimes(question, now, knowledge.semantics.timeRules);
  const mentions = findMentions(question, tokenise(question), times, knowledge);
  // What was joined before stands alone.
  if (mentions.some((mention) => mention.isComma && mention.text === ';')) return false;
  return readTurn(question, mentions, { from: 0, until: mentions.length }) !== undefined;
}

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

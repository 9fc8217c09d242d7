import type { GroundedKnowledge } from '../knowledge.ts';
import { findMentions } from '../mention/find-mentions.ts';
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

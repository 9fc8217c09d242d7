import type { GroundedKnowledge } from './knowledge/knowledge.ts';
import type { ReadQuestion } from './rate/candidate.ts';
import { type RuleReadings, readByRules } from './read-by-rules.ts';

/** Of a text with more tokens every change costs as much as a whole reading: the rules alone read it. */
const LONGEST = 100;

/** What the rules read, where it can be revised; null for dialogues, figures of figures, words of the semantic model and boundaries. */
export function toReadQuestion(ruled: RuleReadings, knowledge: GroundedKnowledge): ReadQuestion | null {
  const { tokens, mentions, frame, context, bounds } = ruled;
  if (tokens.length > LONGEST) return null;
  if (frame === undefined || frame.share !== undefined || frame.spread !== undefined) return null;
  if (frame.overall !== undefined || bounds.length === 0) return null;
  return { tokens, mentions, frame, context, bounds, catalog: knowledge.catalog };
}

/** Reads a question by the rules, for what may be revised. */
export function readQuestion(
  question: string,
  knowledge: GroundedKnowledge,
  now: Date,
  hint?: string,
): ReadQuestion | null {
  return toReadQuestion(readByRules(question, knowledge, now, hint), knowledge);
}

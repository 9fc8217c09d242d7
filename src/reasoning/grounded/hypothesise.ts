import type { Hypotheses } from '../reading.ts';
import type { GroundedKnowledge } from './knowledge.ts';
import type { Mention } from './mention/mention.ts';
import { mentionNote } from './mention/mention-note.ts';
import { ratedReadings } from './rated-readings.ts';
import { readByRules } from './read-by-rules.ts';

const READINGS = 8;

/** Up to eight readings of a question, best first, with no language model; a hint explains words of it. */
export function hypothesise(
  question: string,
  knowledge: GroundedKnowledge,
  now: Date,
  hint?: string,
): Hypotheses {
  const ruled = readByRules(question, knowledge, now, hint);
  const { unexplained, mentions, boundary } = ruled;
  const { rating } = knowledge;
  const readings = rating === undefined ? ruled.readings : ratedReadings(ruled, knowledge, rating);
  return {
    boundary,
    readings: readings.slice(0, READINGS),
    mentions: mentions.map(mentionNote),
    unexplained,
    chart: chartOf(mentions),
  };
}

/** The chart that was asked for last. */
function chartOf(mentions: readonly Mention[]): Hypotheses['chart'] {
  const cue = mentions.findLast(
    (mention) => mention.cue?.kind === 'chart' && (mention.nouns[0]?.score ?? 0) < 0.9,
  )?.cue;
  return cue?.kind === 'chart' ? cue.chart : undefined;
}

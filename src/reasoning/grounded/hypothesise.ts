import type { Hypotheses } from '../reading.ts';
import type { GroundedKnowledge } from './knowledge.ts';
import type { Mention } from './mention/mention.ts';
import { mentionNote } from './mention/mention-note.ts';
import { readByRules } from './read-by-rules.ts';

const READINGS = 4;

/** Up to four readings of a question, best first, with no language model; a hint explains words of it. */
export function hypothesise(
  question: string,
  knowledge: GroundedKnowledge,
  now: Date,
  hint?: string,
): Hypotheses {
  const ruled = readByRules(question, knowledge, now, hint);
  const { readings, unexplained, mentions, boundary } = ruled;
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

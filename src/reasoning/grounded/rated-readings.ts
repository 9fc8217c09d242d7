import type { Reading } from '../reading.ts';
import type { GroundedKnowledge } from './knowledge.ts';
import { unexplainedWords } from './mention/unexplained-words.ts';
import { type RatingModels, rateCandidates } from './rate/rate-candidates.ts';
import { toReadQuestion } from './rate/read-question.ts';
import { assuming, type RuleReadings } from './read-by-rules.ts';
import { readPlan } from './read-plan.ts';

/** Readings that are kept, for those who want more than the best. */
const MOST = 8;
/**
 * What a word costs that nothing explains and that narrows or measures, or a word of structure that no rule could use, in log-odds. Benchmarks ask only what can be answered, so it
 * cannot be learned from them.
 */
const LEFT_OVER = 1.2;
/** What is likelier right than this is worth an answer; log-odds, measured on Spider train. */
const WORTH = -0.85;

/** The readings of the rules and their neighbours by what was learned; those of the rules where nothing is to be revised. */
export function ratedReadings(
  ruled: RuleReadings,
  knowledge: GroundedKnowledge,
  models: RatingModels,
): readonly Reading[] {
  const question = toReadQuestion(ruled, knowledge);
  if (question === null) return ruled.readings;
  const { mentions, frame } = question;
  const leftOver = LEFT_OVER * (unexplainedWords(mentions, frame.used).length + frame.dangling.length);
  return rateCandidates(question, models)
    .slice(0, MOST)
    .map(({ plan, draft: { bound, options, revisions }, odds }) => {
      const origin = { ...question, bound, limit: options.limit, revisions };
      const probability = 1 / (1 + Math.exp(WORTH + leftOver - odds));
      return assuming(readPlan(plan, origin, probability, knowledge), ruled.assumed);
    });
}

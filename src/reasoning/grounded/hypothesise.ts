import type { Hypotheses, Reading } from '../roles/reading.ts';
import type { GroundedKnowledge } from './knowledge/knowledge.ts';
import { type Mention, mentionNote } from './question/mention/mention.ts';
import type { ReadQuestion } from './rate/candidate.ts';
import { type RatedCandidate, type RatingModels, rateCandidates } from './rate/rate-candidates.ts';
import {
  costOfGuesses,
  costOfOddities,
  costOfRelated,
  costOfUnread,
  isBeyondTraining,
} from './rate/reading-costs.ts';
import {
  type Assumed,
  asksPlans,
  assuming,
  isAsAssumed,
  type RuleReadings,
  readByRules,
} from './read-by-rules.ts';
import { readPlan } from './read-plan.ts';

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

/** Readings that are kept, for those who want more than the best. */
const MOST = 8;
/** A reading is worth an answer where it is likelier right than wrong, in log-odds: of answers to fresh questions between three of ten and this one in three was right. */
const WORTH = 0;
/** Where nothing was learned of what is asked, three of ten: of such answers to fresh questions six in eight were right. Both set by hand. */
const WORTH_UNTAUGHT = -0.85;

/** The readings of the rules and their neighbours by what was learned; those of the rules where nothing is to be revised. */
export function ratedReadings(
  ruled: RuleReadings,
  knowledge: GroundedKnowledge,
  models: RatingModels,
): readonly Reading[] {
  const question = toReadQuestion(ruled, knowledge);
  if (question === null) return ruled.readings;
  const worth = isBeyondTraining(question) ? WORTH_UNTAUGHT : WORTH;
  const cost = costOfUnread(question) + costOfRelated(question.mentions) + worth;
  return asWanted(rateCandidates(question, models), knowledge.assume)
    .map((rated) => {
      const { bound } = rated.draft;
      return {
        ...rated,
        odds: rated.odds - cost - costOfGuesses(bound, question) - costOfOddities(bound, question),
      };
    })
    .sort((a, b) => b.odds - a.odds)
    .slice(0, MOST)
    .map(({ plan, draft: { bound, options, revisions }, odds }) => {
      const origin = { ...question, bound, limit: options.limit, revisions };
      return assuming(readPlan(plan, origin, 1 / (1 + Math.exp(-odds)), knowledge), ruled.assumed);
    });
}

/** What a person wants taken of the likeliest reading is as likely as that; another reading that takes it so is not what is wanted. */
function asWanted(rated: readonly RatedCandidate[], assume: Assumed | undefined): readonly RatedCandidate[] {
  const [best] = rated;
  if (!asksPlans(assume) || best === undefined) return rated;
  const wanted = rated.filter(
    ({ plan, draft }) => draft.bound === best.draft.bound && isAsAssumed(plan.assumptions, assume),
  );
  const [first] = wanted;
  if (first === undefined) return rated;
  return wanted.map((one) => ({ ...one, odds: one.odds + best.odds - first.odds }));
}

/** Of a text with more tokens every change costs as much as a whole reading: the rules alone read it. */
const LONGEST = 100;

/** What the rules read, where it can be revised; null for dialogues, figures of figures, words of the semantic model and boundaries. */
function toReadQuestion(ruled: RuleReadings, knowledge: GroundedKnowledge): ReadQuestion | null {
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

/** An answer that turns on what the words leave open becomes the question back that settles it. */
import type { Assumption, AssumptionChoice, ChoiceEffect } from '../../answer.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { AnswerContext } from '../answer/answer-context.ts';
import type { Outcome } from '../answer/build-answer.ts';
import { choiceEffectText, sizeOf } from './choice-effect.ts';

/** Where at most this share of those who ask means what was taken, any change that is worth telling is worth a question. */
const OPEN = 0.5;
/** A smaller change is told with the answer: nobody wants to be asked about it. */
const LEAST_EFFECT = 0.05;
/** Up to this share, only a change that makes it another answer; beyond it saying what was taken is enough. */
const MOST_OPEN = 0.6;
const OTHER_ANSWER = 0.5;
/** So much of the rows, where all that changes is which of them are listed: a group of nothing more or less is no question. */
const LEAST_LISTED = 0.2;

type Answered = Extract<Outcome, { readonly kind: 'answered' }>;

/**
 * The assumption whose choice changes the answer most often and most, where it is as open as a coin and its effect was measured.
 * Undefined where nothing is worth a question: then the answer stands, and says what it assumed.
 */
export function whatSplits({ assumptions }: Pick<Answered, 'assumptions'>): Assumption | undefined {
  const worth = assumptions
    .map((assumption) => ({ assumption, split: splitOf(assumption) }))
    .filter(({ split }) => split > 0)
    .sort((one, other) => other.split - one.split);
  return worth[0]?.assumption;
}

/** How likely another choice is meant, by how much the answer is another one then. */
function splitOf({ likely = 1, alternatives = [] }: Assumption): number {
  const sizes = alternatives.flatMap(({ effect }) => (isWorthAsking(effect) ? [sizeOf(effect)] : []));
  const size = Math.max(0, ...sizes);
  const isOpen = likely <= OPEN || (likely <= MOST_OPEN && size >= OTHER_ANSWER);
  return isOpen ? (1 - likely) * Math.min(size, 1) : 0;
}

/** What shows the same rows with other columns, or groups of nothing beside, is read as well in one way as in the other. */
function isWorthAsking(effect: ChoiceEffect | undefined): boolean {
  if (effect === undefined || effect.kind === 'unmeasured') return false;
  if (effect.kind !== 'figure' && effect.isOtherShape === true) return false;
  if (effect.kind === 'rows' && effect.isOfNothing === true) return false;
  return sizeOf(effect) >= (effect.kind === 'rows' ? LEAST_LISTED : LEAST_EFFECT);
}

/** Asks which is meant, each with what it comes to, so that often the options are the answer. */
export function askWhatSplits(answered: Outcome, text: string): Outcome {
  const assumption = answered.kind === 'answered' ? whatSplits(answered) : undefined;
  if (answered.kind !== 'answered' || assumption === undefined) return answered;
  const { alternatives = [] } = assumption;
  const options = [
    { label: assumption.text, question: `${text} (${assumption.text})`, sql: answered.sql },
    ...alternatives.map((choice) => ({
      label: labelOf(choice),
      question: `${text} (${choice.label})`,
      ...(choice.sql !== undefined && { sql: choice.sql }),
    })),
  ];
  const ask = 'The answer turns on what your words leave open. Which is meant?';
  const { phrase = '' } = assumption;
  const isSaid = text.toLowerCase().includes(phrase.toLowerCase());
  const asked: Outcome = { kind: 'clarify', gap: 'intent', phrase: isSaid ? phrase : '', ask, options };
  return answered.model === undefined ? asked : { ...asked, model: answered.model };
}

function labelOf({ label, effect }: AssumptionChoice): string {
  return effect === undefined ? label : `${label}: ${choiceEffectText(effect)}`;
}

const MAX_OPTIONS = 5;

/** A boundary as the outcome: options that only the database can tell are filled in. */
export async function fillClarifyOptions(
  boundary: Boundary,
  { session, options, trace }: Pick<AnswerContext, 'session' | 'options' | 'trace'>,
): Promise<Outcome> {
  if (boundary.kind !== 'clarify' || boundary.choices === undefined) return boundary;
  const { choices, ...clarify } = boundary;
  // The person says it in their own words: nothing is run for this question.
  if (options.execute === false) return clarify;
  const limits = { ...session.config.limits, rows: MAX_OPTIONS };
  const { rows } = await trace.stage('options', () =>
    session.database.query(choices.sql, limits, options.signal),
  );
  const fill = (template: string, value: string): string => template.split('{0}').join(value);
  const values = rows.map(([value]) => String(value));
  return {
    ...clarify,
    options: values.map((value) => ({
      label: fill(choices.label, value),
      question: fill(choices.question, value),
    })),
  };
}

import type { Boundary } from '../../reasoning/index.ts';
import type { AnswerContext } from '../answer/answer-context.ts';
import type { Outcome } from '../answer/build-answer.ts';

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

import type { Boundary } from './reasoning/index.ts';
import type { Session } from './session.ts';
import type { Outcome } from './stamp-answer.ts';
import type { Trace } from './trace.ts';

const MAX_OPTIONS = 5;

/** A boundary as the outcome: options that only the database can tell are filled in. */
export async function fillChoices(
  boundary: Boundary,
  session: Pick<Session, 'config' | 'database'>,
  signal: AbortSignal | undefined,
  trace: Trace,
): Promise<Outcome> {
  if (boundary.kind === 'reject') {
    const { isOfWords: _, ...reject } = boundary;
    return reject;
  }
  if (boundary.kind !== 'clarify' || boundary.choices === undefined) return boundary;
  const { choices, ...clarify } = boundary;
  const limits = { ...session.config.limits, rows: MAX_OPTIONS };
  const { rows } = await trace.stage('options', () => session.database.query(choices.sql, limits, signal));
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

import type { Boundary } from '../../../reading.ts';
import type { MetricRoute } from '../metric-route.ts';

/** Several keys lead to what is named, and nothing tells which: registered city or sales area. */
export function ambiguousJoinPath(phrase: string, route: MetricRoute, question: string): Boundary {
  const options = route.choices.map((choice) => ({
    label: choice.label,
    question: `${question.replace(/[?.!\s]+$/, '')}, by ${choice.label}`,
  }));
  return {
    kind: 'clarify',
    gap: 'join-path',
    phrase,
    ask: `There are several links to “${phrase}”. Which one do you mean?`,
    options,
  };
}

import type { Dimension } from '../../../../knowledge/index.ts';
import type { Boundary } from '../../../reading.ts';
import type { FilterTerm } from '../metric-frame.ts';

/** A column that a value of the question may stand in. */
export interface ValueChoice {
  readonly columnId: string;
  readonly values: readonly (string | number)[];
  readonly score: number;
  readonly dimension?: Dimension;
  readonly hops: number;
}

/** One name in two dimensions: a city and a campaign are both called Halden. */
export function ambiguousValue(
  term: FilterTerm,
  choices: readonly ValueChoice[],
  question: string,
): Boundary {
  const phrase = term.mention.text;
  const options = choices.slice(0, 5).map((choice) => {
    const label = `${choice.dimension?.name ?? choice.columnId} ${choice.values.join(', ')}`;
    return { label, question: question.replace(phrase, () => label) };
  });
  return {
    kind: 'clarify',
    gap: 'value',
    phrase,
    ask: `“${phrase}” is the name of several things here. Which one do you mean?`,
    options,
  };
}

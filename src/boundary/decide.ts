import type { Boundary, Hypotheses, Reading } from '../reasoning/index.ts';
import type { Request } from './request.ts';

/** What the readings lead to: SQL, a boundary, or an abstention because no reading is sure enough. */
export type Decision =
  | { readonly kind: 'sql'; readonly readings: readonly Reading[] }
  | {
      readonly kind: 'boundary';
      readonly boundary: Boundary;
      /** Where readings of several meanings are near: one of each that is offered, likeliest first. */
      readonly rivals?: readonly Reading[];
    }
  | {
      readonly kind: 'abstain';
      readonly reason: string;
      readonly readings: readonly Reading[];
      /** The words that were not understood, and what here is near them. */
      readonly missing?: string;
      readonly nearest?: readonly string[];
    };

export interface DecideSettings {
  /** Below this probability no answer is given. */
  readonly minProbability: number;
}

/** Words left over beyond this are a different question. */
const MAX_UNEXPLAINED = 1;

/** Decides in the order of refusal: reject, follow-up, clarify, then SQL when a reading is sure enough. */
export function decide(request: Request, hypotheses: Hypotheses, settings: DecideSettings): Decision {
  if (hypotheses.boundary !== undefined) return { kind: 'boundary', boundary: hypotheses.boundary };
  const best = hypotheses.readings[0];
  if (best === undefined) return withoutReading(request, hypotheses);
  if (hypotheses.unexplained.length > MAX_UNEXPLAINED)
    return { kind: 'boundary', boundary: unknownWords(hypotheses) };
  if (best.probability < settings.minProbability && hypotheses.unexplained.length > 0)
    return { kind: 'boundary', boundary: unknownWords(hypotheses) };
  if (best.probability < settings.minProbability)
    return {
      kind: 'abstain',
      reason: `The best reading is right with probability ${best.probability.toFixed(2)}, below the ${settings.minProbability.toFixed(2)} asked for.`,
      readings: hypotheses.readings,
    };
  return { kind: 'sql', readings: hypotheses.readings };
}

/** Words that name things here but make no query are an abstention; words that name nothing, a refusal. */
function withoutReading(request: Request, hypotheses: Hypotheses): Decision {
  const known = hypotheses.mentions.filter((mention) =>
    / of (?:table|column) |value of |metric /.test(mention.meaning),
  );
  if (known.length === 0 || hypotheses.unexplained.length > 0)
    return { kind: 'boundary', boundary: nothingUnderstood(request, hypotheses) };
  const words = known.map((mention) => `“${mention.text}”`).join(', ');
  return {
    kind: 'abstain',
    reason: `The words ${words} are known here, but no query could be made of them as they stand.`,
    readings: [],
  };
}

function nothingUnderstood(request: Request, hypotheses: Hypotheses): Boundary {
  const words = hypotheses.unexplained.map((mention) => mention.text);
  const missing = words.join(', ') || request.original;
  return {
    kind: 'reject',
    reason: 'scope',
    missing,
    message:
      words.length > 0
        ? `Nothing in this database is called ${quoted(words)}.`
        : 'The question names nothing that this database holds.',
    nearest: nearest(hypotheses),
    isOfWords: true,
  };
}

function unknownWords(hypotheses: Hypotheses): Boundary {
  const words = hypotheses.unexplained.map((mention) => mention.text);
  return {
    kind: 'reject',
    reason: 'scope',
    missing: words.join(', '),
    message: `Nothing in this database is called ${quoted(words)}.`,
    nearest: nearest(hypotheses),
    isOfWords: true,
  };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ');
}

function nearest(hypotheses: Hypotheses): string[] {
  return hypotheses.readings.slice(0, 2).map((reading) => reading.explanation);
}

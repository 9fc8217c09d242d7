import type { WordUse } from '../answer.ts';
import { adjacentPhrases } from '../reasoning/roles/index.ts';
import type { Boundary, Hypotheses, Reading } from '../reasoning/roles/reading.ts';
import { type AboutWords, type AbsenceSources, askAboutWords } from './absence/index.ts';
import type { Request } from './question/normalise-question.ts';

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

export interface DecideSettings extends AbsenceSources {
  /** Below this probability no answer is given. */
  readonly minProbability: number;
}

/** Words left over beyond this are a different question. */
const MAX_UNEXPLAINED = 1;

/** Decides in the order of refusal: reject, follow-up, clarify, then SQL when a reading is sure enough. */
export function decide(request: Request, hypotheses: Hypotheses, settings: DecideSettings): Decision {
  const { boundary, readings, unexplained } = hypotheses;
  if (boundary?.kind === 'unread') return aboutWords(boundary.phrases, request, settings, boundary);
  if (boundary !== undefined) return { kind: 'boundary', boundary };
  const [best] = readings;
  if (best === undefined) return withoutReading(request, hypotheses, settings);
  const isSure = best.probability >= settings.minProbability;
  if (unexplained.length > MAX_UNEXPLAINED || (!isSure && unexplained.length > 0))
    return aboutWords(adjacentPhrases(unexplained, request.text), request, settings);
  if (isSure) return { kind: 'sql', readings };
  return {
    kind: 'abstain',
    reason: `The best reading is right with probability ${best.probability.toFixed(2)}, below the ${settings.minProbability.toFixed(2)} asked for.`,
    readings,
  };
}

/** Words that name things here but make no query are an abstention; of words that nothing explains it is said whether they are here. */
function withoutReading(
  request: Request,
  { mentions, unexplained }: Hypotheses,
  sources: AbsenceSources,
): Decision {
  if (unexplained.length > 0) return aboutWords(adjacentPhrases(unexplained, request.text), request, sources);
  const known = mentions.filter((mention) => / of (?:table|column) |value of |metric /.test(mention.meaning));
  const words = known.map((mention) => `“${mention.text}”`).join(', ');
  if (known.length > 0)
    return {
      kind: 'abstain',
      reason: `The words ${words} are known here, but no query could be made of them as they stand.`,
      readings: [],
    };
  const boundary: Boundary = {
    kind: 'reject',
    reason: 'scope',
    cause: 'not-understood',
    missing: request.original,
    message: 'I did not understand this question, and could make no query of it.',
    nearest: [],
  };
  return { kind: 'boundary', boundary };
}

/** Words of content are asked about; where only a figure, an order or a number has no place in any query, none is made. */
export function askAboutUnread(
  unread: readonly WordUse[],
  request: Request,
  sources: AbsenceSources,
  readings: readonly Reading[],
): Decision {
  const named = unread.filter(({ role }) => role === 'word' || role === 'name');
  if (named.length > 0) {
    const notes = named.map(({ span, text }) => ({ span, text, meaning: 'not used' }));
    return aboutWords(adjacentPhrases(notes, request.text), request, sources);
  }
  const told = unread.map(({ text, claim }) => `“${text}” (${claim.why})`);
  return {
    kind: 'abstain',
    reason: `I found no query that uses every part of the question: ${told.join(', ')}.`,
    readings,
  };
}

function aboutWords(
  phrases: readonly string[],
  { text }: Request,
  sources: AbsenceSources,
  about: AboutWords = {},
): Decision {
  const told = askAboutWords(phrases, text, sources, about);
  // Whatever was read leaves the words out: that answers another question.
  return told.kind === 'abstain' ? { ...told, readings: [] } : { kind: 'boundary', boundary: told };
}

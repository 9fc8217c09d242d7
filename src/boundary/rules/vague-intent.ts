import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';
import { inflectedPattern } from '../question/word-pattern.ts';

const WE = '(?:we|things|business|everything|it all|(?:our|the) (?:business|company|team|group|shop|firm))';
const GOES =
  '(?:do(?:ing|ne)?|did|go(?:ing|ne)?|look(?:ing|ed)?|perform(?:ing|ed)?|far(?:e|ed|ing)|run(?:ning)?|develop(?:ing|ed)?|get(?:ting)? (?:on|along)|been)';

/** Wordings that ask for a judgement of everything, whatever it is a judgement of. */
const BROAD: readonly RegExp[] = [
  new RegExp(`\\bhow (?:are|is|was|were|did|do|does|have|has|had) ${WE}(?: ${GOES})+\\b`, 'i'),
  new RegExp(
    `\\bhow (?:are|is|was|were) ${WE}(?=[?.!,\\s]*$| (?:in|for|at|with|of|on|where|this|last|since|now)\\b)`,
    'i',
  ),
  new RegExp(`\\bhow ${WE} (?:is |are |was |were |have |has )?${GOES}\\b`, 'i'),
  new RegExp(
    `\\b(?:is|was|are|were) ${WE} (?:ok|okay|fine|good|well|all right|on track|going well|healthy)\\b`,
    'i',
  ),
  /\b(?:an? |the )?(?:quick |brief |short |general |full )?(?:overview|big picture|rundown|snapshot)\b/i,
  /\bwhat(?:'s|’s| is| was) (?:going on|happening|new|up|the (?:situation|state of (?:things|affairs|play)|picture))\b/i,
  /\bwhat (?:does|did) (?:the |our )?(?:situation|picture|business|state of (?:things|affairs)) look like\b/i,
  /\bsum(?:marise|marize| up)\b(?: (?:the|our|all))?(?: (?:results|situation|business|year|month|quarter|week))?/i,
  /\b(?:anything|something) (?:interesting|unusual|remarkable|noteworthy|to worry about)\b/i,
];

const MOST_OPTIONS = 4;

/**
 * "How are we doing in Carrow?": a question for no figure at all. Asked back with figures there are; a question that names
 * one, or a word that the semantic model asks about itself, is left to the rules behind this one.
 */
export function vagueIntent(request: Request, semantics: SemanticModel): Boundary | null {
  const phrase = BROAD.map((pattern) => pattern.exec(request.text)?.[0]).find((match) => match !== undefined);
  if (phrase === undefined || semantics.metrics.length === 0) return null;
  const said = [...semantics.metrics.flatMap(({ name, synonyms }) => [name, ...synonyms])];
  const rest = request.text.replace(phrase, ' ');
  if (said.some((name) => inflectedPattern(name, rest).test(rest))) return null;
  const names = figuresToOffer(semantics);
  return {
    kind: 'clarify',
    gap: 'intent',
    phrase,
    ask: `Which figure do you want to see for “${phrase}”?`,
    options: names.map((label) => ({
      label,
      question: `${label} ${rest.replace(/[?.!]+\s*$/, '').trim()}`.trim(),
    })),
  };
}

/** What the semantic model offers for vague intents, else its first plain metrics. */
function figuresToOffer({ vagueTerms, metrics }: SemanticModel): readonly string[] {
  const offered = vagueTerms.find(({ gap }) => gap === 'intent')?.options;
  if (offered !== undefined) return offered;
  return metrics
    .filter(({ ratio, mandatoryDimensions }) => ratio === undefined && mandatoryDimensions.length === 0)
    .slice(0, MOST_OPTIONS)
    .map(({ name }) => name);
}

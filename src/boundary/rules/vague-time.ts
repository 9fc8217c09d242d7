import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import type { Boundary } from '../../reasoning/roles/reading.ts';
import type { Request } from '../question/normalise-question.ts';

const VAGUE =
  /\b((?<!\b(?:most|least) )recently|lately|(?:in )?the (?:recent|near) past|of late|these days|nowadays|a while ago|some time ago|in recent (?:times|memory|days|weeks|months|years)|in the near past|the other day|not long ago|not so long ago)\b/i;
const OPTIONS = ['in the last 30 days', 'in the last 3 months', 'in the last 12 months', 'this year'];

/** "recently": a period nobody can compute. */
export function vagueTime(request: Request, semantics: SemanticModel): Boundary | null {
  const match = VAGUE.exec(request.text);
  const phrase = match?.[0];
  if (
    phrase === undefined ||
    semantics.vagueTerms.some((term) => term.term.toLowerCase() === phrase.toLowerCase())
  )
    return null;
  return {
    kind: 'clarify',
    gap: 'time',
    phrase,
    ask: `Which period do you mean by “${phrase}”?`,
    options: OPTIONS.map((label) => ({ label, question: request.text.replace(phrase, () => label) })),
  };
}

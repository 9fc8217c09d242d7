import type { SemanticModel } from '../knowledge/semantic/index.ts';
import type { Boundary } from '../reasoning/roles/reading.ts';
import type { Request } from './question/normalise-question.ts';
import type { ValueColumns } from './question/stands-for-value.ts';
import { outOfScope } from './rules/out-of-scope.ts';
import { vagueIntent } from './rules/vague-intent.ts';
import { vagueTerm } from './rules/vague-term.ts';
import { writeRequest } from './rules/write-request.ts';

/** Rules that need no SQL, in the order of refusal: reject before clarify. */
const RULES: readonly ((
  request: Request,
  semantics: SemanticModel,
  columnsOf?: ValueColumns,
) => Boundary | null)[] = [writeRequest, outOfScope, vagueTime, vagueTerm, vagueIntent];

/** What can be decided from the words and the stored values alone; null when the question may go on. */
export function precheck(
  request: Request,
  semantics: SemanticModel,
  columnsOf?: ValueColumns,
): Boundary | null {
  for (const rule of RULES) {
    const boundary = rule(request, semantics, columnsOf);
    if (boundary !== null) return boundary;
  }
  return null;
}

const VAGUE =
  /\b((?<!\b(?:most|least) )recently|lately|(?:in )?the (?:recent|near) past|of late|these days|nowadays|a while ago|some time ago|in recent (?:times|memory|days|weeks|months|years)|in the near past|the other day|not long ago|not so long ago)\b/i;
const OPTIONS = ['in the last 30 days', 'in the last 3 months', 'in the last 12 months', 'this year'];

/** "recently": a period nobody can compute. */
function vagueTime(request: Request, semantics: SemanticModel): Boundary | null {
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

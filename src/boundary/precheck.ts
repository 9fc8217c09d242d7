import type { SemanticModel } from '../knowledge/semantic/index.ts';
import type { Boundary } from '../reasoning/roles/reading.ts';
import type { Request } from './question/normalise-question.ts';
import type { ValueColumns } from './question/stands-for-value.ts';
import { outOfScope } from './rules/out-of-scope.ts';
import { vagueIntent } from './rules/vague-intent.ts';
import { vagueTerm } from './rules/vague-term.ts';
import { vagueTime } from './rules/vague-time.ts';
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

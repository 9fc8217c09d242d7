/** What is said of an expression of a question: where it went, which rule leaves it out, or that it is not used. */
import type { WordClaim, WordRole } from '../../answer.ts';
import type { Span } from '../../sql/index.ts';

export interface Claimed {
  readonly role: WordRole;
  readonly claim: WordClaim;
}

export function inQuery(role: WordRole, sqlSpans: readonly Span[], why: string): Claimed {
  return { role, claim: { kind: 'query', sqlSpans, why } };
}

export function byRule(role: WordRole, why: string): Claimed {
  return { role, claim: { kind: 'rule', why } };
}

export function unused(role: WordRole, why: string, isTelling = true): Claimed {
  return { role, claim: { kind: 'unused', why, isTelling } };
}

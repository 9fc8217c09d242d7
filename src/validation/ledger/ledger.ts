/** All that is known of a question and of the query that runs before a word is accounted for. */
import type { WordClaim, WordRole } from '../../answer.ts';
import type { Token } from '../../reasoning/grounded/question/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import type { ContentClaim } from './claim-content.ts';
import type { QueryParts } from './query/query-parts.ts';
import type { AskedQuestion, Expression } from './question/question-expressions.ts';

export interface Ledger {
  readonly asked: AskedQuestion;
  readonly parts: QueryParts;
  /** What names and values of the query say, by the place of the token. */
  readonly content: ReadonlyMap<number, ContentClaim>;
  /** Stems of what explains words of the question beside it. */
  readonly said: ReadonlySet<string>;
}

/** Tells what became of the expression at a place; undefined where it is not for this one to tell. */
export type Teller<Told> = (expression: Expression, at: number, ledger: Ledger) => Told | undefined;

/** The claim of all its tokens. */
export function contentOf({ from, to }: Expression, { content, asked }: Ledger): ContentClaim | undefined {
  const claims = asked.tokens.slice(from, to).map((_, at) => content.get(from + at));
  return claims.every((claim) => claim !== undefined) ? claims[0] : undefined;
}

export function roleOf({ from }: Expression, { asked: { tokens } }: Ledger): WordRole {
  const token = tokens[from];
  if (token?.kind === 'number') return 'number';
  return token?.kind === 'quoted' || isCapital(token, tokens[from - 1]) ? 'name' : 'word';
}

/** A capital that does not merely begin a sentence. */
function isCapital(token: Token | undefined, before: Token | undefined): boolean {
  return before !== undefined && before.kind !== 'stop' && /^\p{Lu}/u.test(token?.text ?? '');
}

/** What is said of an expression of a question: where it went, which rule leaves it out, or that it is not used. */
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

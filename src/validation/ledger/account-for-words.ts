/** The ledger of a question: every word of it is claimed by parts of the query that runs, or by a rule, or is listed as not used. */

import type { WordClaim, WordUse } from '../../answer.ts';
import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import { foldedWords, type SemanticModel } from '../../knowledge/index.ts';
import { stemOf, type Token } from '../../reasoning/index.ts';
import type { Span } from '../../sql/index.ts';
import { type ContentClaim, claimContent } from './claim-content.ts';
import { claimCue, isStructure } from './claim-cue.ts';
import { claimNumber, claimOrdinal, claimTime } from './claim-figures.ts';
import { claimFirst } from './claim-first.ts';
import { claimShapeWord } from './claim-shape-word.ts';
import { claimWord } from './claim-word.ts';
import { type Claimed, inQuery, unused } from './claimed.ts';
import { isAskedBesides } from './is-asked-besides.ts';
import { contentOf, type Ledger, roleOf, type Teller } from './ledger.ts';
import { readQueryParts } from './query-parts.ts';
import { type Expression, readExpressions } from './question-expressions.ts';

export interface LedgerContext {
  readonly schema: SchemaFacts;
  readonly semantics: SemanticModel;
  /** The present of the question. */
  readonly now: Date;
  /** Texts that explain words of the question: a hint, what an abbreviation stands for. */
  readonly explained?: readonly string[];
}

/** Expressions of the question in their order, each with what became of it in the query. */
export function accountForWords(
  question: string,
  query: ReadQuery,
  { schema, semantics, now, explained = [] }: LedgerContext,
): readonly WordUse[] {
  const asked = readExpressions(question, now, semantics.timeRules);
  const parts = readQueryParts(query, schema, semantics);
  const content = claimContent(asked.tokens, parts, semantics);
  const said = new Set(explained.flatMap(foldedWords).map(stemOf));
  const ledger: Ledger = { asked, parts, content, said };
  return asked.expressions.map((expression, at) => useOf(expression, at, ledger));
}

/** What an answer leaves out although it would be another one with it. */
export function tellingWords(uses: readonly WordUse[]): readonly WordUse[] {
  return uses.filter(({ claim }) => claim.kind === 'unused' && claim.isTelling);
}

function useOf(expression: Expression, at: number, ledger: Ledger): WordUse {
  const { tokens, text } = ledger.asked;
  const first = tokens[expression.from] as Token;
  const last = tokens[expression.to - 1] as Token;
  const span: Span = { start: first.start, end: last.end };
  const claimed = insisted(claimOf(expression, at, ledger), expression, ledger);
  const { role, claim } = current(claimed, first, ledger);
  return { span, text: text.slice(span.start, span.end), role, claim: plain(claim) };
}

/** "and in which year", "and what does it produce": what is asked for besides is no word to leave out. */
function insisted(claimed: Claimed, { from }: Expression, { asked: { tokens } }: Ledger): Claimed {
  return claimed.claim.kind === 'unused' && isAskedBesides(from, tokens)
    ? { ...claimed, claim: { ...claimed.claim, isTelling: true } }
    : claimed;
}

/** With each place once, as data that survives JSON. */
function plain(claim: WordClaim): WordClaim {
  if (claim.kind !== 'query') return claim;
  const places = new Map(claim.sqlSpans.map(({ start, end }) => [`${start} ${end}`, { start, end }]));
  return { ...claim, sqlSpans: [...places.values()] };
}

/** What an earlier turn of a conversation said may have been taken back since. */
function current(claimed: Claimed, first: Token, { asked: { tokens } }: Ledger): Claimed {
  const isEarlier = tokens.some(({ text, start }) => text === ';' && start > first.start);
  return isEarlier && claimed.claim.kind === 'unused'
    ? { ...claimed, claim: { ...claimed.claim, isTelling: false } }
    : claimed;
}

/** The first that has something to say of an expression says it. */
const TELLERS: readonly Teller<Claimed>[] = [
  tellTime,
  claimFirst,
  ({ from }, _, { asked, parts }) => claimOrdinal(from, asked, parts),
  tellContent,
  tellNumber,
  tellShapeWord,
  claimCue,
];

function claimOf(expression: Expression, at: number, ledger: Ledger): Claimed {
  for (const tell of TELLERS) {
    const claimed = tell(expression, at, ledger);
    if (claimed !== undefined) return claimed;
  }
  return claimWord(expression, ledger);
}

function tellTime(expression: Expression, at: number, ledger: Ledger): Claimed | undefined {
  if (expression.time === undefined) return undefined;
  const { asked, parts } = ledger;
  const stems = new Set(asked.tokens.map(({ lower }) => stemOf(lower)));
  // "later than 2012", "not before 2003": the words before it say which side of it is asked for.
  const isCompared = asked.expressions
    .slice(Math.max(0, at - 4), at)
    .some(({ cue }) => cue?.kind === 'compare' || cue?.kind === 'not');
  const isDenied = asked.expressions.some(({ cue }) => cue?.kind === 'not');
  const claimed = claimTime(expression.time, parts, { stems, isCompared, isDenied });
  // "the last year" of what has a column called so.
  const named = claimed.claim.kind === 'unused' ? contentOf(expression, ledger) : undefined;
  return named === undefined || named.isValue ? claimed : inQuery('time', named.spans, named.why);
}

function tellContent(expression: Expression, _: number, ledger: Ledger): Claimed | undefined {
  const content = contentOf(expression, ledger);
  if (content === undefined || isStructure(expression, content)) return undefined;
  if (isOtherRows(expression, content, ledger))
    return unused('word', 'the query goes to other rows, and asks for none that are both');
  return isOpposite(expression, content, ledger)
    ? unused('word', 'the query asks for the opposite')
    : inQuery(roleOf(expression, ledger), content.spans, content.why);
}

/** "customers who are also suppliers" by what they bought of some: who they are is told by no way over other tables. */
function isOtherRows({ from, to }: Expression, { isValue }: ContentClaim, ledger: Ledger): boolean {
  const { asked, parts } = ledger;
  const { tokens } = asked;
  const isTable = !isValue && parts.tableNames.has(stemOf(tokens[to - 1]?.lower ?? ''));
  if (!isTable || parts.tableCount < 3) return false;
  let be = from - 1;
  while (/^(?:also|both|too|a|an|themselves|at the same time)$/.test(tokens[be]?.lower ?? '')) be -= 1;
  const after = tokens[to];
  const isLast =
    after === undefined || after.kind === 'stop' || after.kind === 'comma' || after.lower === 'too';
  const isSaid = /^(?:that|who|which)$/.test(tokens[be - 1]?.lower ?? '') || ledger.content.has(be - 1);
  return isLast && isSaid && /^(?:is|are|was|were)$/.test(tokens[be]?.lower ?? '');
}

/** "active ones" by `active = 0`, where nothing in the question says no. */
function isOpposite({ from }: Expression, { isValue }: ContentClaim, ledger: Ledger): boolean {
  const { asked, parts, content } = ledger;
  const off = isValue ? undefined : parts.deniedFlags.get(stemOf(asked.tokens[from]?.lower ?? ''));
  if (off === undefined) return false;
  const isDenied = asked.expressions.some(({ cue }) => cue?.kind === 'not' || cue?.kind === 'null');
  const isSaid = asked.tokens.some(
    ({ lower }, at) => content.get(at)?.isValue === true || /^(?:0|no|n|false|off|zero)$/.test(lower),
  );
  return !isDenied && !isSaid;
}

function tellNumber({ from }: Expression, _: number, { asked, parts }: Ledger): Claimed | undefined {
  return asked.tokens[from]?.kind === 'number' ? claimNumber(from, asked, parts) : undefined;
}

function tellShapeWord(expression: Expression, at: number, ledger: Ledger): Claimed | undefined {
  const claimed = claimShapeWord(expression, at, ledger);
  // "the white percentage" where a column holds it.
  const isHeld =
    claimed?.claim.kind === 'unused' && claimed.role === 'figure' && ledger.content.has(expression.from - 1);
  return isHeld ? undefined : claimed;
}

/** The ledger of a question: every word of it is claimed by parts of the query that runs, or by a rule, or is listed as not used. */

import type { WordClaim, WordUse } from '../../answer.ts';
import type { SchemaFacts } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import type { SemanticModel } from '../../knowledge/semantic/index.ts';
import { foldedWords } from '../../knowledge/values/index.ts';
import { stemOf } from '../../language/index.ts';
import type { Token } from '../../reasoning/grounded/question/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import { type ContentClaim, claimContent } from './claim-content.ts';
import { claimCue, isStructure } from './claim-cue.ts';
import { claimNumber, claimOrdinal, claimTime } from './claim-figures.ts';
import { claimShapeWord } from './claim-shape-word.ts';
import { claimWord } from './claim-word.ts';
import { type Claimed, contentOf, inQuery, type Ledger, roleOf, type Teller, unused } from './ledger.ts';
import { type Mark, readQueryParts } from './query/query-parts.ts';
import { type Expression, readExpressions } from './question/question-expressions.ts';

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

// Where "cheapest first" went: all rows are sorted so, and none is picked.

/** Undefined where the expression is no part of what is said to come first. */
function claimFirst(expression: Expression, at: number, ledger: Ledger): Claimed | undefined {
  if (isOldestFirst(expression, ledger)) return claimSorted(ledger);
  if (expression.cue?.kind !== 'superlative') return undefined;
  const { asked, parts } = ledger;
  const isOfIt = (place: number): boolean => saidFirst(place, ledger) !== undefined;
  const isWord = asked.expressions.slice(Math.max(0, at - WORDS_BETWEEN), at).some((_, step, before) => {
    const place = at - before.length + step;
    return saidFirst(place, ledger) === expression.from;
  });
  if (!isOfIt(at) && !isWord) return undefined;
  const isPicked = asked.expressions.some(({ cue, from }, place) => {
    const isOther = cue?.kind === 'superlative' && asked.tokens[from]?.lower !== 'first' && !isOfIt(place);
    return isOther || cue?.kind === 'top' || asked.tokens[from]?.kind === 'number';
  });
  if (parts.marks.has('limit') && !isPicked) return unused('superlative', 'not all rows are shown');
  return claimSorted(ledger);
}

/** "oldest first": by ages from the highest down, by dates from the earliest on. */
function isOldestFirst({ cue, from, to }: Expression, { asked: { tokens } }: Ledger): boolean {
  const isFirst = tokens[to - 1]?.lower === 'first';
  return (
    cue?.kind === 'direction' && isFirst && /^(?:oldest|eldest|youngest)$/.test(tokens[from]?.lower ?? '')
  );
}

function claimSorted({ parts }: Ledger): Claimed {
  const sorted = SORTED.flatMap((mark) => parts.marks.get(mark) ?? []);
  return sorted.length > 0
    ? inQuery('order', sorted, 'the query does so')
    : unused('order', 'nothing is sorted that way');
}

const SORTED: readonly Mark[] = ['ascending', 'descending'];

/** "most recent launch first": the token of the "first" that a superlative belongs to. */
function saidFirst(at: number, { asked: { tokens, expressions } }: Ledger): number | undefined {
  const said = expressions[at];
  if (said?.cue?.kind !== 'superlative' || tokens[said.from]?.lower === 'first') return undefined;
  for (let place = said.to; place < said.to + WORDS_BETWEEN; place++) {
    const token = tokens[place];
    if (token === undefined || token.kind === 'comma' || token.kind === 'stop') return undefined;
    if (token.lower === 'first') return endsThere(tokens[place + 1]) ? place : undefined;
  }
  return undefined;
}

const WORDS_BETWEEN = 5;

function endsThere(next: Ledger['asked']['tokens'][number] | undefined): boolean {
  return (
    next === undefined ||
    next.kind === 'comma' ||
    next.kind === 'stop' ||
    /^(?:and|then|please)$/.test(next.lower)
  );
}

/** A question word that follows "and" or a comma stands shortly before: "in which city and in which year". */
function isAskedBesides(at: number, tokens: readonly Token[]): boolean {
  for (let place = at - 1; place >= Math.max(1, at - NEAR); place -= 1) {
    const { lower = '', kind } = tokens[place] ?? {};
    if (kind === 'comma' || kind === 'stop' || lower === 'and') return false;
    if (/^(?:which|what|where|when)$/.test(lower)) return opensAnother(place, lower, tokens);
  }
  return false;
}

/** Words between a question word and what it asks for: "what does it produce". */
const NEAR = 4;

/** "singers, which are": behind a comma alone it may only go on with what was said. */
function opensAnother(place: number, word: string, tokens: readonly Token[]): boolean {
  const hasPreposition = /^(?:in|on|at|with|by|for|from|to|of)$/.test(tokens[place - 1]?.lower ?? '');
  const before = tokens[place - (hasPreposition ? 2 : 1)];
  if (before?.lower === 'and') return true;
  return before?.kind === 'comma' && (hasPreposition || word !== 'which');
}

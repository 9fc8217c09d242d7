/** The ledger of a question: every word of it is claimed by parts of the query that runs, or by a rule, or is listed as not used. */

import type { WordClaim, WordRole, WordUse } from '../../answer.ts';
import type { ReadQuery, SchemaFacts } from '../../faults/index.ts';
import type { SemanticModel } from '../../knowledge/index.ts';
import { isVerbLike, nearestWord, stemOf, type Token, unitNamed } from '../../reasoning/index.ts';
import type { Comparison, Span } from '../../sql/index.ts';
import { type ContentClaim, claimContent } from './claim-content.ts';
import { claimFigureWord, claimNumber, claimOrdinal, claimTime } from './claim-figures.ts';
import { agrees, claimNeed, needOf, type Operator, operatorAt } from './claim-structure.ts';
import { foldedWords } from './fold-words.ts';
import { type QueryParts, readQueryParts } from './query-parts.ts';
import { type AskedQuestion, type Expression, readExpressions } from './question-expressions.ts';
import { isAnybody, isAsking, isFiller, isHead } from './reply-words.ts';

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

interface Ledger {
  readonly asked: AskedQuestion;
  readonly parts: QueryParts;
  readonly content: ReadonlyMap<number, ContentClaim>;
  readonly said: ReadonlySet<string>;
}

function useOf(expression: Expression, at: number, ledger: Ledger): WordUse {
  const { tokens, text } = ledger.asked;
  const first = tokens[expression.from] as Token;
  const last = tokens[expression.to - 1] as Token;
  const span: Span = { start: first.start, end: last.end };
  const { role, claim } = current(claimOf(expression, at, ledger), first, ledger);
  return { span, text: text.slice(span.start, span.end), role, claim: plain(claim) };
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

interface Claimed {
  readonly role: WordRole;
  readonly claim: WordClaim;
}

function claimOf(expression: Expression, at: number, ledger: Ledger): Claimed {
  const { asked, parts } = ledger;
  const token = asked.tokens[expression.from] as Token;
  if (expression.time !== undefined) {
    const claimed = claimTime(expression.time, parts, stemsOf(asked));
    // "the last year" of what has a column called so.
    const named = claimed.claim.kind === 'unused' ? contentOf(expression, ledger) : undefined;
    return named === undefined || named.isValue
      ? claimed
      : { role: 'time', claim: inQuery(named.spans, named.why) };
  }
  const ordinal = claimOrdinal(expression, asked, parts);
  if (ordinal !== undefined) return ordinal;
  const content = contentOf(expression, ledger);
  if (content !== undefined && !isStructure(expression, content))
    return { role: roleOf(token, expression, asked), claim: inQuery(content.spans, content.why) };
  if (token.kind === 'number') return claimNumber(token, expression, asked, parts);
  const { cue } = expression;
  if (cue !== undefined) return claimCue(expression, at, ledger);
  const figure = claimFigureWord(token, parts);
  // "the white percentage" where a column holds it.
  const isHeld = figure?.claim.kind === 'unused' && ledger.content.has(expression.from - 1);
  return isHeld || figure === undefined ? claimWord(expression, ledger) : figure;
}

function inQuery(sqlSpans: readonly Span[], why: string): WordClaim {
  return { kind: 'query', sqlSpans, why };
}

function byRule(role: WordRole, why: string): Claimed {
  return { role, claim: { kind: 'rule', why } };
}

function unused(role: WordRole, why: string, isTelling = true): Claimed {
  return { role, claim: { kind: 'unused', why, isTelling } };
}

function stemsOf({ tokens }: AskedQuestion): ReadonlySet<string> {
  return new Set(tokens.map(({ lower }) => stemOf(lower)));
}

/** The claim of all its tokens. */
function contentOf({ from, to }: Expression, { content, asked }: Ledger): ContentClaim | undefined {
  const claims = asked.tokens.slice(from, to).map((_, at) => content.get(from + at));
  return claims.every((claim) => claim !== undefined) ? claims[0] : undefined;
}

/** Words of structure that a name happens to have and that mean their structure all the same: "not", "more than", "by". */
function isStructure({ cue }: Expression, { isValue }: ContentClaim): boolean {
  return cue !== undefined && !isValue && STRUCTURES.has(cue.kind);
}

const STRUCTURES: ReadonlySet<string> = new Set(
  'not group compare between superlative direction by and or preposition be have'.split(' '),
);

function claimCue(expression: Expression, at: number, ledger: Ledger): Claimed {
  const { cue } = expression;
  const { parts } = ledger;
  const { tokens } = ledger.asked;
  if (cue?.kind === 'growth' && tokens[expression.to]?.lower === 'up')
    return byRule('reply', 'no figure grows');
  const need = cue && needOf(cue);
  if (cue?.kind === 'by') return claimBy(at, ledger);
  if (need === undefined) return byRule('reply', 'holds the sentence together');
  if (cue?.kind === 'not' && isTurnedComparison(at, ledger))
    return byRule('negation', 'it turns the comparison behind it');
  if (cue?.kind === 'group' && isEveryRow(expression, ledger))
    return byRule('grouping', 'every row stands for itself');
  if (cue?.kind === 'compare') {
    const wrong = wrongComparison(expression, at, ledger);
    if (wrong !== undefined) return wrong;
  }
  const spans = claimNeed(
    isTop(expression, ledger) ? { ...need, marks: need.marks.slice(0, 1) } : need,
    parts,
  );
  if (spans !== undefined) return { role: need.role, claim: inQuery(spans, 'the query does so') };
  const isFigure = cue?.kind === 'count' || (cue?.kind === 'aggregate' && cue.function === 'sum');
  if (isFigure && countsColumn(expression, ledger)) return byRule('figure', 'a column holds the number');
  const own = contentOf(expression, ledger) ?? ledger.content.get(expression.from);
  if (own !== undefined) return { role: need.role, claim: inQuery(own.spans, own.why) };
  return unused(need.role, need.why, need.isTelling);
}

/** "not before 2003", "not more than 5" by an operator of the other way. */
function isTurnedComparison(at: number, { asked: { expressions }, parts }: Ledger): boolean {
  const isComparison = expressions
    .slice(at + 1)
    .some(({ time, cue }) => time !== undefined || cue?.kind === 'compare');
  return isComparison && (parts.marks.has('greater') || parts.marks.has('less'));
}

/** "the name of each singer", "across all shops": nothing is grouped where no figure is shown, or all rows are meant. */
function isEveryRow({ from }: Expression, { asked: { tokens }, parts }: Ledger): boolean {
  return !parts.marks.has('shown-figure') || tokens[from]?.lower === 'across';
}

/** "the number of people injured" where a column holds it. */
function countsColumn({ to }: Expression, { asked: { tokens }, parts }: Ledger): boolean {
  return tokens.slice(to, to + NEAR).some(({ lower }) => parts.columnNames.has(stemOf(lower)));
}

const NEAR = 6;

/** "top 3": whichever end the sorting before it has put first. */
function isTop({ from }: Expression, { asked: { tokens } }: Ledger): boolean {
  return tokens[from]?.lower === 'top';
}

/** "count of tracks by genre" groups; "written by", "sorted by" do not. */
function claimBy(at: number, { asked, parts, content }: Ledger): Claimed {
  const { tokens, expressions } = asked;
  const expression = expressions[at] as Expression;
  const before = tokens[expression.from - 1];
  const next = expressions[at + 1];
  const isAgent = before !== undefined && isVerbLike(before, tokens[expression.from - 2]);
  const isOrder = expressions[at - 1]?.cue?.kind === 'order';
  const named = next && content.get(next.from);
  // "by artist Iron Maiden": the value names one of them.
  const isOne = next !== undefined && content.get(next.to)?.isValue === true;
  if (isOne || isAgent || isOrder || named === undefined || named.isValue || !parts.marks.has('shown-figure'))
    return byRule('reply', 'holds the sentence together');
  const spans = ['group', 'window', 'ascending', 'descending', 'rank', 'limit'] as const;
  const found = spans.flatMap((mark) => parts.marks.get(mark) ?? []);
  return found.length > 0
    ? { role: 'grouping', claim: inQuery(found, 'the query does so') }
    : unused('grouping', 'nothing is grouped by it');
}

/** "or higher" includes what it stands behind, "or higher than" does not. */
function strict(operator: Comparison, isTurned: boolean | undefined): Operator {
  const plain = operator as Operator;
  if (!isTurned) return plain;
  return plain === '>=' ? '>' : plain === '<=' ? '<' : plain;
}

function isDenial({ cue }: Expression): boolean {
  return cue?.kind === 'not' || (cue?.kind === 'compare' && cue.operator === '<>');
}

/** "more than 5" where the query has `< 5`. */
function wrongComparison(expression: Expression, at: number, { asked, parts }: Ledger): Claimed | undefined {
  const { cue } = expression;
  if (cue?.kind !== 'compare' || cue.attributes.some((one) => one.startsWith('-'))) return undefined;
  const { tokens, expressions } = asked;
  if (expressions.some(isDenial)) return undefined;
  // "taller than 200 or lower than 190" has its number behind it.
  const isPostfix = cue.isPostfix && tokens[expression.to]?.lower !== 'than';
  const number = isPostfix
    ? tokens[expression.from - 1]
    : expressions
        .slice(at + 1, at + 3)
        .map(({ from }) => tokens[from])
        .find((token) => token?.kind === 'number');
  if (number?.number === undefined) return undefined;
  const asks = number.number;
  const near = parts.literals.filter(({ text }) => text.trim() !== '' && Math.abs(Number(text) - asks) <= 1);
  const compared = near.flatMap((literal) => {
    const operator = operatorAt(literal);
    return operator === undefined ? [] : [{ operator, literal }];
  });
  if (compared.length === 0) return undefined;
  const right = compared.filter(({ operator, literal }) =>
    agrees(strict(cue.operator, isPostfix !== cue.isPostfix), asks, operator, Number(literal.text)),
  );
  return right.length > 0
    ? {
        role: 'comparison',
        claim: inQuery(
          right.map(({ literal }) => literal),
          'the query compares so',
        ),
      }
    : unused('comparison', 'the query compares otherwise');
}

function roleOf(token: Token, { from }: Expression, { tokens }: AskedQuestion): WordRole {
  if (token.kind === 'number') return 'number';
  return token.kind === 'quoted' || isCapital(token, tokens[from - 1]) ? 'name' : 'word';
}

/** A capital that does not merely begin a sentence. */
function isCapital({ text }: Token, before: Token | undefined): boolean {
  return before !== undefined && before.kind !== 'stop' && /^\p{Lu}/u.test(text);
}

function claimWord(expression: Expression, ledger: Ledger): Claimed {
  const { tokens } = ledger.asked;
  const { from } = expression;
  const token = tokens[from] as Token;
  const before = tokens[from - 1];
  const role = roleOf(token, expression, ledger.asked);
  const said = foldedWords(token.text).map(stemOf);
  if (said.length > 0 && said.every((stem) => ledger.said.has(stem)))
    return byRule(role, 'explained beside the question');
  if (isMisspeltReply(token)) return byRule('reply', 'a word of the sentence, spelt otherwise');
  if (role === 'name') return unused(role, 'nothing in the query is called so');
  if (before?.kind === 'number' && isUnit(token)) return byRule('word', 'the unit of the number before it');
  if (isAsking(token.lower, before?.lower)) return byRule('reply', 'asks for the reply');
  if (isFiller(token.lower)) return byRule('reply', 'narrows nothing');
  if (isAnybody(token.lower)) return byRule('word', 'whoever the rows are about');
  if (isHead(token.lemma) || isHead(token.lower))
    if (ledger.content.has(from - 1) || ledger.content.has(from + 1) || tokens[from + 1]?.lower === 'of')
      return byRule('word', 'says once more what is named beside it');
  return unused(role, 'nothing in the query says it', isTelling(from, ledger));
}

/** A noun or an adjective narrows; a verb between two things that the query ties together does not. */
function isTelling(from: number, { asked: { tokens }, content }: Ledger): boolean {
  const token = tokens[from] as Token;
  const before = tokens[from - 1];
  if (endsClause(from, tokens) && tokens.slice(0, from).some(({ lower }) => DOING.test(lower))) return false;
  if (GENERAL_VERBS.has(stemOf(token.lower))) return false;
  if (!isVerbLike(token, before) || BEFORE_NOUNS.test(before?.lower ?? '')) return true;
  const isParticiple = /(?:ed|en|wn|ld)$/.test(token.lower);
  const isBetween = /^(?:have|has|had|who|that|which|they|and|we|i|you|he|she|it)$/.test(before?.lower ?? '');
  const isAttribute =
    (isParticiple || token.lower.endsWith('ing')) &&
    content.has(from + 1) &&
    !isBetween &&
    !content.has(from - 1);
  if (isAttribute) return true;
  if (/^(?:we|i|you|they|he|she|it)$/.test(before?.lower ?? '')) return false;
  const isState = /^(?:be|been|is|are|was|were|not|being|back)$/.test(before?.lower ?? '') || isParticiple;
  // "where Chinese is spoken" ties a value to the rows, "students enrolled in courses" the courses.
  const isOfValue = content.get(from - 2)?.isValue === true;
  return isState && isParticiple && !isOfValue && !leadsOn(from, tokens, content);
}

/** What stands behind the verb is in the query, if it is no time: the verb says how the two belong together. */
function leadsOn(from: number, tokens: readonly Token[], content: Ledger['content']): boolean {
  return tokens
    .slice(from + 1, from + NEAR_OBJECT)
    .some(({ kind, lower }, at) => kind === 'word' && content.has(from + 1 + at) && !/\d/.test(lower));
}

/** A preposition, an article and an adjective stand between a verb and what it is about. */
const NEAR_OBJECT = 5;

/** "How much money did each of them collect?" */
const DOING = /^(?:do|does|did)$/;

function endsClause(from: number, tokens: readonly Token[]): boolean {
  const after = tokens[from + 1];
  return after === undefined || after.kind === 'stop' || after.kind === 'comma';
}

/** Behind these stands a noun, whatever verb it may be elsewhere: “what did we pay”. */
const BEFORE_NOUNS = /^(?:the|a|an|what|our|average|total|of|per)$/;

/** Of what numbers are measured in; a word of money or of counting is none that converts. */
function isUnit({ lower }: Token): boolean {
  return unitNamed(lower) !== undefined || MORE_UNITS.has(lower);
}

const MORE_UNITS: ReadonlySet<string> = new Set(
  'week weeks month months quarter quarters year years percent pct points units pieces degrees'.split(' '),
);

/** They say of anything that it is there. */
const GENERAL_VERBS: ReadonlySet<string> = new Set(
  'produce produced occur occurred lived star starred driven drive center centered centre centred situated perform performed sing sang sung place placed issue issued hold held create created register registered book booked enter entered log logged receive received buy bought rent take taken add added open opened host hosted organise organised organize organized show shown locate located store stored write written base based do done earn earned make made use used play playing live living have happen record recorded list listed name named call called fly flying speak spoken come go run offer offered give given provide provided'
    .split(' ')
    .map(stemOf),
);

function isMisspeltReply({ lower }: Token): boolean {
  return nearestWord(lower, LONG_CUES) !== undefined;
}

/** Words of structure that are long enough to be known by most of their letters. */
const LONG_CUES: ReadonlySet<string> = new Set(
  'common alphabetical alphabetically ascending descending average number highest lowest different distinct maximum minimum respectively corresponding altogether people'.split(
    ' ',
  ),
);

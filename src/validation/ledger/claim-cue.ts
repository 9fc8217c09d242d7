/** Where words of structure went: what they need of a query, and when they need nothing. */
import { stemOf } from '../../language/index.ts';
import { isVerbLike } from '../../reasoning/grounded/question/index.ts';
import type { Span } from '../../sql/dialects/index.ts';
import type { Comparison } from '../../sql/print/index.ts';
import type { ContentClaim } from './claim-content.ts';
import { agrees, claimNeed, needOf, type Operator, operatorAt } from './claim-structure.ts';
import { byRule, type Claimed, contentOf, inQuery, type Ledger, unused } from './ledger.ts';
import type { Expression } from './question/question-expressions.ts';
import { isAsking } from './question/reply-words.ts';
import { isOfName, unmetCue } from './unmet-cue.ts';
import { isManner } from './verbs.ts';

/** Words of structure that a name happens to have and that mean their structure all the same: "not", "more than", "by". */
export function isStructure({ cue }: Expression, { isValue }: ContentClaim): boolean {
  return cue !== undefined && !isValue && STRUCTURES.has(cue.kind);
}

const STRUCTURES: ReadonlySet<string> = new Set(
  'not group compare between superlative direction by and or preposition be have'.split(' '),
);

/** When a word of structure needs nothing of the query, with what is said of it then. */
interface Exemption {
  readonly kinds: readonly string[];
  readonly holds: (expression: Expression, at: number, ledger: Ledger) => boolean;
  readonly claimed: Claimed;
}

const EXEMPTIONS: readonly Exemption[] = [
  { kinds: ['growth'], holds: isMadeUp, claimed: byRule('reply', 'no figure grows') },
  {
    kinds: ['not'],
    holds: isTurnedComparison,
    claimed: byRule('negation', 'it turns the comparison behind it'),
  },
  { kinds: ['group'], holds: isEveryRow, claimed: byRule('grouping', 'every row stands for itself') },
  { kinds: ['order'], holds: isListed, claimed: byRule('reply', 'says where, sorts nothing') },
  { kinds: ['between'], holds: isOfNames, claimed: byRule('reply', 'stands between two names') },
  { kinds: ['between'], holds: isOfDifference, claimed: byRule('reply', 'stands between two names') },
  { kinds: ['compare'], holds: isPlace, claimed: byRule('reply', 'says where, compares nothing') },
  { kinds: ['superlative'], holds: isOfName, claimed: byRule('word', 'a part of the name behind it') },
  { kinds: ['superlative'], holds: isOfText, claimed: byRule('word', 'where in the text it is looked for') },
];

export function claimCue(expression: Expression, at: number, ledger: Ledger): Claimed | undefined {
  const { cue } = expression;
  if (cue === undefined) return undefined;
  const { parts } = ledger;
  if (cue.kind === 'by') return claimBy(at, ledger);
  const exempt = EXEMPTIONS.find(
    ({ kinds, holds }) => kinds.includes(cue.kind) && holds(expression, at, ledger),
  );
  if (exempt !== undefined) return exempt.claimed;
  const unmet = unmetCue(expression, at, ledger);
  if (unmet !== undefined) return unused(unmet.role, unmet.why);
  const need = needOf(cue);
  if (need === undefined)
    return isContentHere(expression, ledger) ? undefined : byRule('reply', 'holds the sentence together');
  const wrong = wrongComparison(expression, at, ledger);
  if (wrong !== undefined) return wrong;
  const marks = isEitherEnd(expression, at, ledger) ? need.marks.slice(0, 1) : need.marks;
  const spans = claimNeed({ ...need, marks }, parts);
  const isLost = cue.kind === 'count' && isOneMore(at, spans ?? [], ledger);
  if (isLost && !holdsFigure(expression, ledger))
    return unused('figure', 'the query has a figure less than that');
  if (spans !== undefined) return inQuery(need.role, spans, 'the query does so');
  const isFigure = cue.kind === 'count' || (cue.kind === 'aggregate' && cue.function === 'sum');
  if (isFigure && holdsFigure(expression, ledger)) return byRule('figure', 'a column holds the number');
  const own = contentOf(expression, ledger) ?? ledger.content.get(expression.from);
  return own === undefined
    ? unused(need.role, need.why, need.isTelling)
    : inQuery(need.role, own.spans, own.why);
}

/** "how many albums and how many tracks": every figure of such a list needs one of the query's own. */
function isOneMore(at: number, spans: readonly Span[], { asked: { expressions } }: Ledger): boolean {
  const isCount = (one: Expression | undefined): boolean => one?.cue?.kind === 'count';
  const isListed = expressions.slice(Math.max(0, at - 2), at).some(({ cue }) => cue?.kind === 'and');
  const before = expressions.slice(0, at).filter(isCount).length;
  const figures = new Set(spans.map(({ start }) => start)).size;
  return isListed && before > 0 && figures > 0 && figures <= before;
}

/** "made up of" */
function isMadeUp({ to }: Expression, _: number, { asked: { tokens } }: Ledger): boolean {
  return tokens[to]?.lower === 'up';
}

/** "not before 2003", "not more than 5" by an operator of the other way. */
function isTurnedComparison(_: Expression, at: number, { asked: { expressions }, parts }: Ledger): boolean {
  const isComparison = expressions
    .slice(at + 1)
    .some(({ time, cue }) => time !== undefined || cue?.kind === 'compare');
  return isComparison && (parts.marks.has('greater') || parts.marks.has('less'));
}

/** "the name of each singer", "across all shops": nothing is grouped where no figure is shown, or all rows are meant. */
function isEveryRow({ from }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  return !parts.marks.has('shown-figure') || tokens[from]?.lower === 'across';
}

/** "under the label Motown", "over the counter": a place stands behind it, neither a number nor a figure. */
function isPlace({ from, to }: Expression, _: number, { asked: { tokens }, content }: Ledger): boolean {
  if (!PLACES.has(tokens[from]?.lower ?? '') || to !== from + 1) return false;
  const behind = tokens.slice(to, to + NEAR);
  const isCompared = behind.some(({ kind, lower }) => kind === 'number' || COMPARED.test(lower));
  return !isCompared && behind.some((_, at) => content.get(to + at)?.isValue === true);
}

/** "listed in both departments" */
function isListed({ to }: Expression, _: number, { asked: { tokens } }: Ledger): boolean {
  if (tokens[to - 1]?.lower !== 'in') return false;
  return !tokens
    .slice(to, to + NEAR)
    .some(({ lower }) => /^(?:order|alphabet|ascend|descend|lexic)/.test(lower));
}

/** "the interactions between enzymes and medicine" */
function isOfNames({ to }: Expression, _: number, { asked: { tokens }, content }: Ledger): boolean {
  const and = tokens.findIndex(({ lower }, at) => at > to && lower === 'and');
  const behind = [and + 1, and + 2].map((at) => content.get(at));
  return content.get(and - 1)?.isValue === false && behind.some((one) => one?.isValue === false);
}

/** "the difference in age between the oldest and the youngest" */
function isOfDifference({ to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  const isNumber = tokens.slice(to, to + NEAR).some(({ kind }) => kind === 'number');
  return !isNumber && parts.marks.has('difference');
}

const PLACES: ReadonlySet<string> = new Set(['under', 'above', 'below', 'over']);
const COMPARED = /^(?:average|mean|median|that|those|than|the(?:ir|irs|se)|its|any|all|maximum|minimum)$/;

/** "whose first letter is S": a pattern says at which end. */
function isOfText({ to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  return /^(?:letter|character|digit|word)s?$/.test(tokens[to]?.lower ?? '') && parts.marks.has('pattern');
}

/** "the number of people injured", "phone numbers of": a column holds it. */
function holdsFigure({ from, to }: Expression, { asked: { tokens }, parts, content }: Ledger): boolean {
  const isHead = /^numbers?$/.test(tokens[from]?.lower ?? '') && content.get(from - 1)?.isValue === false;
  return isHead || tokens.slice(to, to + NEAR).some(({ lower }) => parts.figureNames.has(stemOf(lower)));
}

const NEAR = 6;

/** "top 3": whichever end the sorting before it has put first; "descending alphabetical order": by the letters, from the end. */
function isEitherEnd({ from }: Expression, at: number, { asked: { tokens, expressions } }: Ledger): boolean {
  return tokens[from]?.lower === 'top' || expressions[at - 1]?.cue?.kind === 'direction';
}

function isContentHere(expression: Expression, ledger: Ledger): boolean {
  const { from, to } = expression;
  return isNounHere(expression, ledger) || (to === from + 1 && isManner(from, ledger));
}

/** "with a state", "the report", "state of": what asks for the reply elsewhere is a thing behind an article and before "of". */
function isNounHere({ from, to, cue }: Expression, { asked: { tokens } }: Ledger): boolean {
  const { lower = '' } = tokens[from] ?? {};
  const isArticle = /^(?:an?|each|every|no|their|its)$/.test(tokens[from - 1]?.lower ?? '');
  const isNoun = isArticle || !isAsking(lower, undefined, tokens[to]?.lower);
  return cue?.kind === 'stop' && to === from + 1 && isNoun && isAsking(lower, undefined);
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
    ? inQuery('grouping', found, 'the query does so')
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
    ? inQuery(
        'comparison',
        right.map(({ literal }) => literal),
        'the query compares so',
      )
    : unused('comparison', 'the query compares otherwise');
}

/** What a query does otherwise than a word of structure says. */
import type { WordRole } from '../../answer.ts';
import type { Span } from '../../sql/dialects/index.ts';
import { ancestor } from '../../sql/tree/index.ts';
import type { Ledger } from './ledger.ts';
import { isOwned, isQualityOfRows } from './qualities.ts';
import type { Expression } from './question/question-expressions.ts';

interface Unmet {
  readonly kind: string;
  readonly role: WordRole;
  readonly why: string;
  readonly holds: (expression: Expression, at: number, ledger: Ledger) => boolean;
}

const UNMET: readonly Unmet[] = [
  { kind: 'or', role: 'comparison', holds: isNoChoice, why: 'the query asks for both' },
  { kind: 'both', role: 'comparison', holds: isChoice, why: 'the query takes either' },
  { kind: 'preposition', role: 'comparison', holds: isWay, why: 'the query takes either' },
  { kind: 'and', role: 'figure', holds: isOneFigure, why: 'one figure is computed of both' },
  { kind: 'like', role: 'comparison', holds: isOtherEnd, why: 'the text is looked through at another place' },
  {
    kind: 'superlative',
    role: 'superlative',
    holds: isSecondEnd,
    why: 'only one end of an order is looked for',
  },
  {
    kind: 'superlative',
    role: 'superlative',
    holds: isEndOfKeys,
    why: 'the query looks for an end of the keys',
  },
  { kind: 'stop', role: 'time', holds: isMay, why: 'the query has no such period' },
  { kind: 'stop', role: 'word', holds: isColumn, why: 'nothing in the query says it' },
  { kind: 'stop', role: 'word', holds: isQuality, why: 'nothing in the query says it' },
  { kind: 'stop', role: 'word', holds: isPossession, why: 'nothing in the query says it' },
];

/** The first thing that the query does otherwise; undefined where it does as the word says. */
export function unmetCue(
  expression: Expression,
  at: number,
  ledger: Ledger,
): Pick<Unmet, 'role' | 'why'> | undefined {
  return UNMET.find(({ kind, holds }) => kind === expression.cue?.kind && holds(expression, at, ledger));
}

/** The literals that the words before and behind an expression name. */
function valuesAround({ from, to }: Expression, { content }: Ledger): readonly Span[] {
  const isValue = (at: number) => content.get(at)?.isValue === true;
  const near = [0, 1, 2];
  const before = near.map((step) => from - 1 - step).find(isValue);
  const behind = near.map((step) => to + step).find(isValue);
  return before === undefined || behind === undefined
    ? []
    : [before, behind].flatMap((at) => content.get(at)?.spans[0] ?? []);
}

/** "in Germany or France" where both have to hold. */
function isNoChoice(expression: Expression, _: number, ledger: Ledger): boolean {
  const [before, behind] = valuesAround(expression, ledger);
  const { marks } = ledger.parts;
  return before !== behind && !marks.has('or') && !marks.has('not');
}

/** "both rock and metal" where one of them is enough. */
function isChoice(
  { to }: Expression,
  _: number,
  { content, asked: { tokens }, parts: { marks } }: Ledger,
): boolean {
  const and = tokens.findIndex(({ lower }, at) => at >= to && lower === 'and');
  // "both in Paris and in London"
  const behind = PLACING.test(tokens[and + 1]?.lower ?? '') ? and + 2 : and + 1;
  const isOfValues = content.get(and - 1)?.isValue === true && content.get(behind)?.isValue === true;
  const isBoth = (['paired', 'greater', 'not', 'group', 'count'] as const).some((mark) => marks.has(mark));
  return isOfValues && marks.has('or') && !isBoth;
}

/** "starting with A" where the pattern has it at the end. */
function isOtherEnd({ cue }: Expression, _: number, { parts: { literals } }: Ledger): boolean {
  if (cue?.kind !== 'like' || cue.at === 'anywhere') return false;
  const patterns = literals.filter(
    ({ node, text }) => /^I?Like$/.test(node.parent?.type ?? '') && text.includes('%'),
  );
  const other = cue.at === 'start' ? /^%./ : /.%$/;
  return patterns.length > 0 && patterns.every(({ text }) => other.test(text));
}

/** "from London to Berlin" where one of them is enough: nothing goes from one to the other. */
function isWay(expression: Expression, _: number, ledger: Ledger): boolean {
  const { asked, content } = ledger;
  const { from, to } = expression;
  if (asked.tokens[from]?.lower !== 'to') return false;
  const isValue = (at: number): boolean => content.get(at)?.isValue === true;
  const behind = [to, to + 1, to + 2].find(isValue);
  let start = from - 1;
  while (isValue(start)) start -= 1;
  const isFrom = [start, start - 1].some((at) => asked.tokens[at]?.lower === 'from');
  if (behind === undefined || !isFrom || start === from - 1) return false;
  const [origin, target] = [from - 1, behind].map((at) => columnsOf(at, ledger));
  return origin?.some((id) => target?.includes(id)) === true;
}

/** The columns that the literals which a token names are compared with, each with where it is read: two keys to one table are two places. */
function columnsOf(at: number, { content, parts }: Ledger): readonly string[] {
  const spans = content.get(at)?.spans ?? [];
  return parts.literals
    .filter(({ start }) => spans.some((span) => span.start === start))
    .flatMap(({ columnIds, node }) => {
      const query = ancestor(node, ({ type }) => type === 'Select');
      const column = node.parent?.children.find(({ type }) => type === 'Column');
      const alias = column?.children.find(({ role }) => role === 'table')?.value ?? '';
      return columnIds.map((id) => `${id} ${alias} ${query?.start}`);
    });
}

/** "the average in Rock, and in Jazz": of each, where the query makes one figure of all. */
function isOneFigure(expression: Expression, _: number, ledger: Ledger): boolean {
  const { asked, parts } = ledger;
  const { tokens, expressions } = asked;
  const { from, to } = expression;
  const isFigure = expressions.some(
    ({ cue }) => cue?.kind === 'aggregate' && /^(?:avg|min|max)$/.test(cue.function),
  );
  if (!isFigure || !PLACING.test(tokens[to]?.lower ?? '')) return false;
  const [before, behind] = valuesAround(expression, ledger);
  const isPlaced = tokens.slice(Math.max(0, from - 4), from).some(({ lower }) => PLACING.test(lower));
  const isApart = (['group', 'not', 'greater', 'less'] as const).some((mark) => parts.marks.has(mark));
  const isOne = (parts.marks.get('shown-figure') ?? []).length === 1;
  return before !== undefined && before !== behind && isPlaced && isOne && !isApart;
}

const PLACING = /^(?:in|for|of|from|at|on|within)$/;

/** "the cheapest and the longest track" by one order, and one row of it. */
function isSecondEnd(expression: Expression, at: number, ledger: Ledger): boolean {
  const { asked, parts, content } = ledger;
  const { tokens, expressions } = asked;
  // "the last name": a word of a name.
  const isEnd = (one: Expression): boolean =>
    one.cue?.kind === 'superlative' && !content.has(one.from) && !isOfName(one, at, ledger);
  const first = expressions.slice(0, at).findLast(isEnd);
  if (!isEnd(expression)) return false;
  if (first === undefined || tokens[first.from]?.lower === tokens[expression.from]?.lower) return false;
  const between = tokens.slice(first.to, expression.from);
  if (!between.some(({ lower }) => lower === 'and') || isTop(first, ledger)) return false;
  const ends = (['limit', 'maximum', 'minimum', 'rank'] as const).flatMap(
    (mark) => parts.marks.get(mark) ?? [],
  );
  return ends.length < 2;
}

function isTop({ from }: Expression, { asked: { tokens } }: Ledger): boolean {
  return /^(?:top|bottom)$/.test(tokens[from]?.lower ?? '');
}

/** "the cheapest track" by its number. */
function isEndOfKeys({ cue, to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  if (cue?.kind !== 'superlative' || !parts.endsAreKeys || cue.attributes.length === 0) return false;
  const isOfTime = cue.attributes.some((one) => /date|year|born|^\*$/.test(one));
  return (
    !isOfTime &&
    !tokens.slice(to, to + 3).some(({ lower }) => /^(?:ids?|numbers?|codes?|keys?|no)$/.test(lower))
  );
}

/** "in May" where the word is taken for the verb. */
function isMay({ from }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  const isPlaced = /^(?:in|during|since|until|of|every|last|this)$/.test(tokens[from - 1]?.lower ?? '');
  const isSaid = parts.literals.some(({ text }) => /(?:^|-)0?5(?:-|%|$)|^may\b/i.test(text));
  return tokens[from]?.lower === 'may' && isPlaced && !isSaid;
}

/** "vehicles by make", "the make of the vehicles": a verb elsewhere, a column here that the query does not read. */
function isColumn({ from, to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  const isOther = parts.otherColumns.has(tokens[from]?.lower ?? '');
  const isNoun = /^(?:by|per|each|every)$/.test(tokens[from - 1]?.lower ?? '') || tokens[to]?.lower === 'of';
  return isOther && isNoun;
}

/** "complete orders", "used cars" */
function isQuality({ from }: Expression, _: number, ledger: Ledger): boolean {
  return isQualityOfRows(from, ledger);
}

/** "employees with a record" */
function isPossession({ from }: Expression, _: number, ledger: Ledger): boolean {
  return isOwned(from, ledger);
}

// Parts of a name that are words of an order elsewhere.

/** "first and last name", "drivers' first, last names": the name that is told in parts, where the query shows that part. */
export function isOfName({ from, to }: Expression, _: number, { asked: { tokens }, parts }: Ledger): boolean {
  const shown = NAME_PARTS[tokens[from]?.lower ?? ''];
  if (shown === undefined || ![...parts.columnNames].some((name) => shown.test(name))) return false;
  const behind = tokens.slice(to, to + NEAR_NAME);
  const name = behind.findIndex(({ lower }) => /^names?$/.test(lower));
  return (
    name >= 0 &&
    behind.slice(0, name).every(({ kind, lower }) => kind === 'comma' || BETWEEN_NAMES.test(lower))
  );
}

const NAME_PARTS: Readonly<Record<string, RegExp>> = {
  first: /^(?:f|first|fore|given)name$/,
  last: /^(?:l|last|sur|family)name$/,
};
const BETWEEN_NAMES = /^(?:first|last|middle|and|or|&|,)$/;

const NEAR_NAME = 4;

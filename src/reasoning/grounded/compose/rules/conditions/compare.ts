import { type Comparison, INVERSE_COMPARISON } from '../../../../../sql/print/index.ts';
import type { Cue } from '../../../question/mention/lexicon.ts';
import { type Mention, withoutQuotes } from '../../../question/mention/mention.ts';
import { unitNamed } from '../../../question/read/units.ts';
import {
  EARNED,
  MONEY,
  measuredIn,
  quantifiedOperand,
  saysEarned,
  saysSpent,
  smallNumber,
  type UnitBehind,
  unitBehind,
} from '../../frame/amounts.ts';
import type { Cursor, Rule } from '../../frame/cursor.ts';
import type { FilterSlot, Operand, StatisticOperand } from '../../frame/frame.ts';
import { columnScore, isTableLike, isTextLike, tableScore } from '../../frame/nouns.ts';
import { meantOperator, saidBefore } from '../../frame/operators.ts';

/** "age above 20", "more than 3 concerts", "older than the average", "founded after 1990". */
export const compare: Rule = {
  name: 'compare',
  examples: ['Which singers are older than 20?', 'Show stadiums with more than 3 concerts.'],
  apply(cursor) {
    const counted = cursor.cue(0, 'count') === undefined ? undefined : cursor.skip(1);
    // "how many tracks are longer than 5 minutes" asks for the count and compares something else.
    if (counted !== undefined) return cursor.frame.projections.length > 0 ? compareCount(cursor, counted) : 0;
    const aggregated = cursor.mode === 'modify' ? cursor.cue(0, 'aggregate') : undefined;
    if (aggregated !== undefined) return compareAggregate(cursor, aggregated.function);
    const cue = cursor.cue(0, 'compare');
    const mention = cursor.at(0);
    if (cue === undefined || cue.isPostfix || mention === undefined) return 0;
    // "enrolled under the arts faculty": a text is not compared.
    if (cursor.at(operandPlace(cursor))?.isDefined) return 1;
    const read = quantifiedOperand(cursor, cue.operator) ?? readOperand(cursor, operandPlace(cursor));
    if (read === undefined) return 0;
    const { operand, next } = read;
    const named = cursor.pending ?? (operand.kind === 'statistic' ? operand.noun : undefined);
    const meant = meantOperator(cue, named);
    const operator = cursor.isNegated ? INVERSE_COMPARISON[meant] : meant;
    // "excluding 2021": no figure is told that differs from it.
    if (cue.operator === '<>' && operand.kind === 'number' && named === undefined) return 0;
    cursor.isNegated = false;
    if (operand.kind === 'number') return compareNumber(cursor, { ...cue, operator }, operand, next);
    // "hired after Nancy and before Laura": the second comparison is of the same column.
    const noun = cursor.pending ?? (operand.kind === 'value' ? comparedBefore(cursor)?.noun : undefined);
    const attributes = noun === undefined ? cue.attributes : [];
    const { operands, end } =
      operator === '<>' ? moreOperands(cursor, operand, next) : { operands: [operand], end: next };
    cursor.addFilter({ noun, attributes, operator, operands, isNegated: false, mention });
    if (operand.kind === 'statistic') cursor.statistic = operand;
    return end;
  },
};

/** "other than Rock and Jazz": neither of them. */
function moreOperands(cursor: Cursor, first: Operand, offset: number): { operands: Operand[]; end: number } {
  const operands = [first];
  let end = offset;
  for (;;) {
    const at = cursor.skip(cursor.at(end)?.isComma === true ? end + 1 : end, ['and', 'or', 'stop']);
    const other = at === end || cursor.role(at) !== 'value' ? undefined : cursor.at(at);
    const isOfSame =
      other?.values.some(({ columnId }) =>
        first.mention.values.some((value) => value.columnId === columnId),
      ) === true;
    if (other === undefined || !isOfSame) return { operands, end };
    operands.push({ kind: 'value', mention: other });
    end = at + 1;
  }
}

/** Where the operand stands: "above 10", or behind a noun in "a greater weight than 10" or "after season 2010", which then waits for it. */
function operandPlace(cursor: Cursor): number {
  const start = skipToOperand(cursor, 1);
  const noun = cursor.noun(start);
  const next = cursor.at(start + 1);
  if (noun === undefined || next === undefined) return start;
  const isThan = next.text.toLowerCase() === 'than';
  // "after season 2010", "above level 3"
  const isNumbered = next.number !== undefined && columnScore(noun) > tableScore(noun);
  if (!isThan && !isNumbered) return start;
  cursor.pending = noun;
  return cursor.skip(start + (isThan ? 2 : 1), ['stop', 'of', 'preposition']);
}

/** Past filler words, but not past "one" or "a single", which are filler elsewhere and a number here. */
function skipToOperand(cursor: Cursor, offset: number): number {
  let at = offset;
  while (
    smallNumber(cursor.at(at)) === undefined &&
    cursor.skip(at, ['stop', 'of', 'preposition', 'relative', 'be']) > at
  )
    at++;
  return at;
}

type Compare = Extract<Cue, { kind: 'compare' }>;

/** A number compares a column, counts rows ("3 concerts", "40 times"), or measures in a unit ("10 minutes"). */
function compareNumber(cursor: Cursor, cue: Compare, operand: NumberOperand, next: number): number {
  const { operator, attributes } = cue;
  const mention = cursor.at(0) ?? operand.mention;
  const base = { operator, mention, isNegated: false };
  const group = compareGroup(cursor, cue, operand, next);
  if (group !== undefined) return group;
  const unit = cursor.at(next);
  const measure = unitBehind(cursor, next);
  const column = cursor.pending ?? measure?.noun;
  const words = attributes.length > 0 ? attributes : (measure?.attributes ?? []);
  const isMeasured = measure?.unit.quantity !== 'count' || column !== undefined || words.length > 0;
  if (measure !== undefined && isMeasured) {
    cursor.addFilter({
      ...base,
      noun: column,
      attributes: column === undefined ? words : [],
      operands: [{ ...operand, unit: measure.said }],
    });
    return measure.next;
  }
  // "more than 2 thousand orders" counts them.
  if (measure !== undefined)
    return compareNumber(
      cursor,
      cue,
      { ...operand, number: operand.number * measure.unit.factor },
      measure.next,
    );
  const happened = cursor.frame.contexts.at(-1) ?? doneBefore(cursor);
  const after = cursor.skip(next, ['stop', 'of', 'distinct']);
  const isAdverb = /^(?:once|twice)$/i.test(operand.mention.text);
  const isTimes = (isAdverb || /^times?$/i.test(unit?.text ?? '')) && happened !== undefined;
  const noun = isAdverb ? undefined : cursor.noun(after);
  const counted = isTimes
    ? happened
    : noun !== undefined && isCounted(cursor, noun, attributes)
      ? noun
      : undefined;
  if (counted !== undefined) {
    cursor.isDenied = false;
    cursor.addHaving({
      noun: counted,
      aggregate: 'count',
      operator,
      number: operand.number,
      mention,
    });
    cursor.mode = 'modify';
    return isAdverb ? next : isTimes ? next + 1 : after + 1;
  }
  if (counted === undefined && noun === undefined && happenedOften(cursor, operand, unit))
    return countGroups(cursor, operator, operand, isAdverb ? next : next + 1);
  const measured = noun === undefined ? measuredIn(cursor, next) : undefined;
  const named =
    cursor.pending ??
    (noun !== undefined && columnScore(noun) > 0 ? noun : undefined) ??
    measured ??
    (attributes.length === 0 ? saidBefore(cursor) : undefined);
  const shared = named === undefined && attributes.length === 0 ? comparedBefore(cursor) : undefined;
  cursor.addFilter({
    ...base,
    noun: named ?? shared?.noun,
    attributes: named === undefined ? (shared?.attributes ?? attributes) : [],
    operands: [operand],
  });
  if (named !== undefined && named === measured) return measured.index - cursor.position + 1;
  return named !== undefined && named === noun ? after + 1 : next;
}

/** "rented exactly once": the verb names the rows that are counted. */
function doneBefore(cursor: Cursor): Mention | undefined {
  const verb = cursor.noun(-1);
  return verb !== undefined && isTableLike(verb) && /(?:ed|en|wn)$/i.test(verb.text) ? verb : undefined;
}

/** What is compared is said before, or behind a second number: a sum of money, or things that are counted. */
function compareGroup(
  cursor: Cursor,
  { operator, attributes }: Compare,
  { number, mention: said }: NumberOperand,
  next: number,
): number | undefined {
  if (cursor.pending !== undefined || attributes.length > 0) return undefined;
  const slot = { operator, number, mention: cursor.at(0) ?? said };
  if (saysEarned(cursor) && cursor.noun(cursor.skip(next, ['stop', 'of', 'distinct'])) === undefined) {
    const operands: Operand[] = [{ kind: 'number', number, mention: said }];
    cursor.addFilter({ attributes: EARNED, operator, operands, mention: slot.mention });
    return unitBehind(cursor, next)?.next ?? next;
  }
  if (saysSpent(cursor)) {
    cursor.addHaving({ ...slot, attributes: MONEY, aggregate: 'sum' });
    return unitBehind(cursor, next)?.next ?? next;
  }
  if (unitBehind(cursor, next) !== undefined || /^(?:once|twice)$/i.test(said.text)) return undefined;
  const after = cursor.skip(next, ['stop', 'of', 'distinct']);
  const noun =
    comparedAgain(cursor, after) ?? (cursor.noun(after) === undefined ? countedBefore(cursor) : undefined);
  if (noun === undefined) return undefined;
  cursor.isDenied = false;
  cursor.addHaving({ ...slot, noun, aggregate: 'count' });
  cursor.mode = 'modify';
  return next;
}

/** "more than 35 but less than 40 rentals": what is counted stands behind the second number. */
function comparedAgain(cursor: Cursor, offset: number): Mention | undefined {
  const at = cursor.skip(offset, ['and', 'or', 'stop']);
  if (at === offset || cursor.cue(at, 'compare') === undefined || cursor.role(at + 1) !== 'number')
    return undefined;
  const noun = cursor.noun(cursor.skip(at + 2, ['stop', 'of']));
  return noun !== undefined && isTableLike(noun) ? noun : undefined;
}

/** "at least 100 tracks but fewer than 400": the same things are counted. */
function countedBefore(cursor: Cursor): Mention | undefined {
  const last = cursor.frame.havings.at(-1);
  const isJoint = cursor.cue(-1, 'and') !== undefined || cursor.cue(-1, 'or') !== undefined;
  const noun = last?.noun;
  return isJoint && last?.aggregate === 'count' && noun?.index === cursor.position - 2 ? noun : undefined;
}

/** "used more than twice", "less than 5 times", where no other table says what happened: the rows of a group. */
function happenedOften(
  { frame, pending }: Cursor,
  operand: Extract<Operand, { kind: 'number' }>,
  unit: Mention | undefined,
): boolean {
  const isOften = /^(?:once|twice)$/i.test(operand.mention.text) || /^times?$/i.test(unit?.text ?? '');
  return isOften && pending === undefined && frame.projections.length > 0;
}

function countGroups(
  cursor: Cursor,
  operator: Comparison,
  { number, mention }: Extract<Operand, { kind: 'number' }>,
  next: number,
): number {
  cursor.addHaving({ aggregate: 'count', operator, number, mention });
  cursor.mode = 'modify';
  return next;
}

/** "above 300 and below 190": the second comparison is of the same column. */
function comparedBefore(cursor: Cursor): FilterSlot | undefined {
  const last = cursor.frame.filters.at(-1);
  const lead = [cursor.at(-1), cursor.at(-2)].find((mention) => mention?.cue?.kind !== 'be');
  const isJoint = lead?.cue?.kind === 'and' || lead?.cue?.kind === 'or';
  return isJoint && /^[<>]/.test(last?.operator ?? '') ? last : undefined;
}

/** "more than 3 concerts" counts rows; "more than 500 seats" compares a column. */
function isCounted(cursor: Cursor, noun: Mention, attributes: readonly string[]): boolean {
  const { pending } = cursor;
  const isWaiting =
    pending !== undefined && !(isTextLike(pending) && isTableLike(noun)) && !isDoneTo(pending, noun);
  if (attributes.length > 0 || isWaiting) return false;
  return (
    isTextLike(noun) ||
    isTableLike(noun) ||
    (tableScore(noun) > 0 && columnScore(noun) < 0.8) ||
    (tableScore(noun) >= 0.85 && /s$/i.test(noun.text)) ||
    noun.nouns.every((match) => match.kind === 'column' && /(_id|id|name|code)$/.test(match.id))
  );
}

/** "who built at least 3 bridges": a verb waits for no number where things follow it. */
function isDoneTo(pending: Mention, noun: Mention): boolean {
  return pending.isVerbLike && tableScore(noun) >= 0.85 && /s$/i.test(noun.text);
}

function compareCount(cursor: Cursor, offset: number): number {
  const noun = cursor.noun(offset);
  if (noun === undefined) return 0;
  const at = cursor.skip(offset + 1, ['stop', 'be', 'have', 'of']);
  const cue = cursor.cue(at, 'compare');
  if (cue === undefined) return 0;
  const number = cursor.at(cursor.skip(at + 1));
  const mention = cursor.at(0);
  if (number?.number === undefined || mention === undefined) return 0;
  cursor.addHaving({
    noun,
    aggregate: 'count',
    operator: cue.operator,
    number: number.number,
    mention,
  });
  cursor.mode = 'modify';
  return cursor.skip(at + 1) + 1;
}

/** "whose average age is above 30", "total sales of more than 100". */
function compareAggregate(cursor: Cursor, name: 'count' | 'sum' | 'avg' | 'min' | 'max'): number {
  const nounAt = cursor.skip(1);
  const noun = cursor.noun(nounAt);
  if (noun === undefined) return 0;
  const at = cursor.skip(nounAt + 1, ['stop', 'be', 'have', 'of']);
  const cue = cursor.cue(at, 'compare');
  const valueAt = cursor.skip(at + 1);
  const number = cursor.at(valueAt)?.number;
  const mention = cursor.at(0);
  if (cue === undefined || number === undefined || mention === undefined) return 0;
  cursor.addHaving({ noun, aggregate: name, operator: cue.operator, number, mention });
  return valueAt + 1;
}

function readOperand(cursor: Cursor, offset: number): { operand: Operand; next: number } | undefined {
  const mention = cursor.at(offset);
  if (mention === undefined) return undefined;
  const average = cursor.cue(offset, 'aggregate');
  if (average !== undefined)
    return readStatistic(
      cursor,
      offset,
      mention,
      average.function === 'avg' ? 'avg' : average.function === 'min' ? 'min' : 'max',
    );
  const extreme = cursor.cue(offset, 'superlative');
  if (extreme !== undefined && cursor.noun(cursor.skip(offset + 1)) !== undefined)
    return readStatistic(cursor, offset, mention, extreme.direction === 'desc' ? 'max' : 'min');
  // "longer than an hour"
  if (unitNamed(mention.text) !== undefined && /^an?$/i.test(cursor.at(offset - 1)?.text ?? ''))
    return { operand: { kind: 'number', number: 1, mention }, next: offset };
  const number = smallNumber(mention) ?? mention.number;
  if (number !== undefined) return { operand: { kind: 'number', number, mention }, next: offset + 1 };
  if (mention.time !== undefined) return { operand: { kind: 'value', mention }, next: offset + 1 };
  if (cursor.role(offset) === 'value')
    return {
      operand: {
        kind: mention.values.length > 0 ? 'value' : 'text',
        text: withoutQuotes(mention),
        mention,
      },
      next: offset + 1,
    };
  return undefined;
}

function readStatistic(
  cursor: Cursor,
  offset: number,
  mention: Mention,
  name: StatisticOperand['function'],
): { operand: Operand; next: number } {
  const at = cursor.skip(offset + 1, ['stop', 'of', 'count']);
  const noun = cursor.noun(at);
  const operand: Operand = { kind: 'statistic', function: name, noun, filters: [], mention };
  return { operand, next: noun === undefined ? offset + 1 : at + 1 };
}

type NumberOperand = Extract<Operand, { kind: 'number' }>;

/** A condition on the column that is measured in the unit. */
function addMeasured(
  cursor: Cursor,
  { said, noun, attributes }: UnitBehind,
  operator: FilterSlot['operator'],
  operands: readonly NumberOperand[],
): void {
  const mention = cursor.at(0);
  const named = cursor.pending ?? noun;
  if (mention === undefined) return;
  cursor.addFilter({
    noun: named,
    attributes: named === undefined ? (attributes ?? []) : [],
    operator,
    operands: operands.map((operand) => ({ ...operand, unit: said })),
    mention,
  });
}

/** "3 or more concerts", "2014 or after". */
export const postfixCompare: Rule = {
  name: 'postfix-compare',
  examples: ['Which stadiums had 3 or more concerts?', 'List stadiums with a capacity of 8000 or more.'],
  apply(cursor) {
    const value = cursor.at(0);
    const number = value?.number;
    const before = unitBehind(cursor, 1);
    const cue = cursor.cue(before?.next ?? 1, 'compare');
    const tilted = value === undefined || number === undefined ? undefined : orMore(cursor, value, number);
    if (tilted !== undefined) return tilted;
    if (value === undefined || number === undefined || cue === undefined || cue.isPostfix !== true) return 0;
    const measure = before ?? unitBehind(cursor, 2);
    if (measure !== undefined) {
      addMeasured(cursor, measure, cue.operator, [{ kind: 'number', number, mention: value }]);
      return before === undefined ? measure.next : measure.next + 1;
    }
    const at = cursor.skip(2, ['stop', 'of', 'distinct']);
    const noun = cursor.noun(at);
    if (noun !== undefined && isCounted(cursor, noun, [])) {
      cursor.addHaving({ noun, aggregate: 'count', operator: cue.operator, number, mention: value });
      cursor.mode = 'modify';
      return at + 1;
    }
    const target = cursor.pending ?? noun;
    cursor.addFilter({
      noun: target,
      attributes: [],
      operator: cue.operator,
      operands: [{ kind: 'number', number, mention: value }],
      mention: value,
    });
    return target !== undefined && target === noun ? at + 1 : 2;
  },
};

/** "aged 32 or older", "30 minutes or longer": the adjective says which way, and of what where nothing waits. */
function orMore(cursor: Cursor, mention: Mention, number: number): number | undefined {
  const cue = cursor.cue(1, 'or') === undefined ? undefined : cursor.cue(2, 'compare');
  const after = cursor.at(3);
  if (
    cue === undefined ||
    cue.attributes.length === 0 ||
    after?.number !== undefined ||
    after?.time !== undefined
  )
    return undefined;
  const noun = cursor.pending;
  const meant = meantOperator(cue, noun);
  const operator = meant === '>' ? '>=' : meant === '<' ? '<=' : meant;
  const attributes = noun === undefined ? cue.attributes : [];
  cursor.addFilter({
    noun,
    attributes,
    operator,
    operands: [{ kind: 'number', number, mention }],
    mention,
  });
  return 3;
}

/** "between 5000 and 10000". */
export const between: Rule = {
  name: 'between',
  examples: ['Show stadiums with a capacity between 5000 and 10000.', 'List people aged between 20 and 30.'],
  apply(cursor) {
    const mention = cursor.at(0);
    if (cursor.cue(0, 'between') === undefined || mention === undefined) return 0;
    const low = cursor.at(1);
    const and = cursor.cue(2, 'and') ?? cursor.cue(2, 'preposition');
    const high = cursor.at(3);
    if (low?.number === undefined || and === undefined || high?.number === undefined) return 0;
    const operands: NumberOperand[] = [
      { kind: 'number', number: low.number, mention: low },
      { kind: 'number', number: high.number, mention: high },
    ];
    const measure = unitBehind(cursor, 4);
    if (measure !== undefined) {
      addMeasured(cursor, measure, 'between', operands);
      return measure.next;
    }
    const noun = cursor.pending ?? cursor.noun(4);
    const usesAfter = cursor.pending === undefined && noun !== undefined;
    cursor.addFilter({ noun, attributes: [], operator: 'between', operands, mention });
    return usesAfter ? 5 : 4;
  },
};

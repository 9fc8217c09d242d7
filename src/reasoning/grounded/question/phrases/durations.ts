import type { Column } from '../../../../catalog/index.ts';
import { numberWord, splitName, stemOf } from '../../../../language/index.ts';
import type { AggregateFunction, Comparison, Expression } from '../../../../sql/print/index.ts';
import { dateCalled, datesOf, ownDate } from '../../resolve/date-columns.ts';
import {
  columnOf,
  figureMeaning,
  type Phrase,
  type PhraseContext,
  textFrom,
  tokensIn,
  whereMeaning,
} from './phrase.ts';

const FIGURE = '(?<figure>average|avg|mean|longest|shortest|maximum|max|minimum|min)';
const UNIT = '(?<unit>days?|hours?|weeks?|minutes?)';
const FROM_TO =
  '(?:between|from) (?:the )?(?<from>[\\p{L}]+)(?: date| day| time)? (?:and|to|until) (?:the )?(?<until>[\\p{L}]+)(?: date| day| time)?';
/** Two moments of a row, and which figure of the days between them is asked for. */
const FIGURES: readonly RegExp[] = [
  new RegExp(
    `^(?:how (?:long|many ${UNIT})|${FIGURE} (?:number of )?(?:${UNIT.replace('unit', 'in')}|time))(?: (?:does|do|did))?(?: it)?(?: takes?| taken)?(?: on average)? (?:until|till|before) (?:an? |the |our )?[\\p{L}]+ (?:is|are|was|were|gets?|got) (?<verb>[\\p{L}]+)\\b`,
    'u',
  ),
  new RegExp(
    `^${FIGURE} (?:number of )?(?:${UNIT}|time|duration|delay)(?: in ${UNIT.replace('unit', 'in')})?(?: it takes| taken)? ${FROM_TO}\\b`,
    'u',
  ),
  new RegExp(
    `^how (?:long|many ${UNIT})(?: (?:is|are|was|were|pass|does|do|did))?(?: it)?(?: takes?)?(?: on average)? ${FROM_TO}\\b`,
    'u',
  ),
  new RegExp(
    `^how (?:long|many ${UNIT}) (?:does|do|did) (?:it|(?:the |a |an )?(?<until>[\\p{L}]+)) take(?: on average)?(?: to (?<verb>[\\p{L}]+))?\\b`,
    'u',
  ),
];
const CONDITIONS: readonly RegExp[] = [
  new RegExp(
    `^(?:that |which )?(?:(?:were |was |are |is )?(?:kept|held|out)(?: out)?(?: for)?|took|takes?|taking|needed|needs?|lasted|lasting) (?:(?<how>exactly|more than|longer than|over|less than|fewer than|under|at least|at most|up to) )?(?<number>\\d+|\\p{L}+) ${UNIT}(?<often> or (?:more|longer|less))?(?: to (?:be |get )?(?<verb>[\\p{L}]+))?\\b`,
    'u',
  ),
  new RegExp(
    `^(?<verb>[\\p{L}]+(?:ed|en|nt|wn)) (?<how>within|in less than|in under|in more than|after more than|more than|after|over) (?<number>\\d+|\\p{L}+) ${UNIT}(?: later| after(?:wards)?)?\\b`,
    'u',
  ),
];

/** A word that each of them has: patterns of all letters are slow to make. */
const SPANS = /day|hour|week|minute|how long|time|duration|delay/;

const FUNCTIONS: Readonly<Record<string, AggregateFunction>> = {
  average: 'avg',
  avg: 'avg',
  mean: 'avg',
  longest: 'max',
  maximum: 'max',
  max: 'max',
  shortest: 'min',
  minimum: 'min',
  min: 'min',
};

/** "average days between order and delivery", "orders that took more than 30 days to ship". */
export function durations(context: PhraseContext): readonly Phrase[] {
  const { tokens } = context;
  if (!SPANS.test(textFrom(tokens, 0))) return [];
  for (let from = 0; from < tokens.length; from += 1) {
    const rest = textFrom(tokens, from);
    for (const pattern of FIGURES) {
      const match = pattern.exec(rest);
      const found = match === null ? undefined : readFigure(match, context);
      if (match !== null && found !== undefined) return [{ from, to: from + tokensIn(match[0]), ...found }];
    }
    for (const pattern of CONDITIONS) {
      const match = pattern.exec(rest);
      const found = match === null ? undefined : readCondition(match, context);
      if (match !== null && found !== undefined) return [{ from, to: from + tokensIn(match[0]), ...found }];
    }
  }
  return [];
}

type Read = Pick<Phrase, 'meaning' | 'tableId'>;

function readFigure({ groups = {} }: RegExpExecArray, context: PhraseContext): Read | undefined {
  const name = groups.figure ?? (/\bon average\b/.test(textFrom(context.tokens, 0)) ? 'average' : undefined);
  const aggregate = name === undefined ? undefined : FUNCTIONS[name];
  const pair = momentsOf(groups.from, groups.verb ?? groups.until, context);
  if (aggregate === undefined || pair === undefined) return undefined;
  const argument = inUnit(between(pair, context), groups.unit ?? groups.in ?? 'days');
  const tableId = pair[0].tableId;
  const expression: Expression = { kind: 'aggregate', function: aggregate, distinct: false, argument };
  return { meaning: figureMeaning(expression, tableId), tableId };
}

function readCondition({ groups = {} }: RegExpExecArray, context: PhraseContext): Read | undefined {
  const { how = '', number: said = '', unit = 'days', verb, often = '' } = groups;
  const number = /^\d+$/.test(said) ? Number(said) : /^an?$/.test(said) ? 1 : numberWord(said);
  const pair = momentsOf(undefined, verb, context);
  if (number === undefined || pair === undefined) return undefined;
  const tableId = pair[0].tableId;
  const left = inUnit(between(pair, context), unit);
  const right: Expression = { kind: 'literal', value: number };
  const operator = operatorOf(`${how}${often}`);
  return { meaning: whereMeaning({ kind: 'compare', operator, left, right }, tableId), tableId };
}

function operatorOf(words: string): Comparison {
  if (/at least|or (?:more|longer)/.test(words)) return '>=';
  if (/within|at most|up to|or less/.test(words)) return '<=';
  if (/less|fewer|under/.test(words)) return '<';
  return /more|longer|over|after/.test(words) ? '>' : '=';
}

/** Both moments of one table: by their names, the first being that of the row itself where it is called like the row or not at all. */
function momentsOf(
  first: string | undefined,
  second: string | undefined,
  context: PhraseContext,
): readonly [Column, Column] | undefined {
  const { knowledge, named } = context;
  for (const tableId of named) {
    const start = first === undefined ? rowDate(tableId, context) : momentOf(first, tableId, knowledge);
    const others = datesOf(tableId, knowledge).filter(({ id }) => id !== start?.id);
    const end =
      second === undefined
        ? others.length === 1
          ? others[0]
          : undefined
        : momentOf(second, tableId, knowledge);
    if (start !== undefined && end !== undefined && start.id !== end.id) return [start, end];
  }
  return undefined;
}

function momentOf(word: string, tableId: string, knowledge: PhraseContext['knowledge']): Column | undefined {
  const own = splitName(knowledge.graph.table(tableId).name).map(stemOf);
  return (
    dateCalled(word, tableId, knowledge) ??
    (own.includes(stemOf(word)) ? ownDate(tableId, knowledge) : undefined)
  );
}

/** The date that the named metric of the rows goes by, else that of the rows themselves. */
function rowDate(tableId: string, { knowledge, measured }: PhraseContext): Column | undefined {
  const [date, rival] = measured.map((id) => knowledge.graph.column(id));
  return date?.tableId === tableId && rival === undefined ? date : ownDate(tableId, knowledge);
}

function between([from, until]: readonly [Column, Column], { knowledge }: PhraseContext): Expression {
  return { kind: 'days-between', from: columnOf(from, knowledge), until: columnOf(until, knowledge) };
}

/** How many of a unit a day has. */
const IN_A_DAY: Readonly<Record<string, number>> = { hour: 24, minute: 1440 };

function inUnit(days: Expression, unit: string): Expression {
  const one = unit.replace(/s$/, '');
  if (one === 'week')
    return { kind: 'arithmetic', operator: '/', left: days, right: { kind: 'literal', value: 7 } };
  const factor = IN_A_DAY[one];
  return factor === undefined
    ? days
    : { kind: 'arithmetic', operator: '*', left: days, right: { kind: 'literal', value: factor } };
}

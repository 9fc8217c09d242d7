import { isParticiple, splitName } from '../../../../language/index.ts';
import type { Expression, Predicate } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { dateCalled, ownDate } from '../../resolve/date-columns.ts';
import { isInField } from '../vocabulary/english.ts';
import { columnOf, type Phrase, type PhraseContext, textFrom, tokensIn, whereMeaning } from './phrase.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY = `(?:${DAYS.join('|')})s?`;
const ON_DAYS = new RegExp(
  `^(?:on (?:an? |the |all )?|every )?(?<days>(?:${DAY})(?:(?: \\.)? (?:and|or) (?:on )?(?:an? |the )?${DAY}| \\. ${DAY})*|(?:the )?weekends?|(?:a )?weekdays?)(?! of the)\\b`,
);

/** "on Mondays", "on a Sunday", "at the weekend": the day of the week of the date that is spoken of. */
export function weekdays(context: PhraseContext): readonly Phrase[] {
  const { tokens } = context;
  const found: Phrase[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    const [last] = found.slice(-1);
    if (last !== undefined && !isVersus(last.to, from, tokens)) continue;
    const match = ON_DAYS.exec(textFrom(tokens, from));
    const said = match?.groups?.days;
    if (match === null || said === undefined || !isNarrowing(match[0], from, context)) continue;
    const verbAt = verbBefore(from, context);
    const column = spokenOf(verbAt, context);
    if (column === undefined || isStored(said, context)) return found;
    const predicate = isAmong(columnOf(column, context.knowledge), numbersOf(said));
    const { tableId } = column;
    // The verb right before it is said with it; before a period it says of which date that is, too.
    const start = verbAt === from - 1 && isSpent(verbAt, context) ? verbAt : from;
    const to = from + tokensIn(match[0]);
    found.push({ from: start, to, meaning: whereMeaning(predicate, tableId), tableId });
    from = to - 1;
  }
  return found;
}

/** "on weekdays vs weekends": the days that the first are set against. */
function isVersus(end: number, from: number, tokens: PhraseContext['tokens']): boolean {
  const between = tokens.slice(end, from).map(({ lower }) => lower);
  return /^(?:vs|versus|compared (?:to|with)|against)(?: \.)?$/.test(between.join(' '));
}

/** Verbs that say of anything that it came to be. */
const SAYS_NOTHING = /^(?:placed|made|created|issued|booked|registered|recorded|entered|happened|done)$/;

/** "last Monday" is a date, "per weekday" a grouping, and "Monday" alone may be anything. */
function isNarrowing(text: string, from: number, { tokens }: PhraseContext): boolean {
  const before = tokens[from - 1]?.lower ?? '';
  if (/^(?:last|next|this|past|previous|per|each|by)$/.test(before)) return false;
  if (/^every week/.test(text)) return false;
  return /^(?:on|every) |s$/.test(text) || /^(?:on|at|during)$/.test(before);
}

function numbersOf(said: string): readonly number[] {
  if (/weekend/.test(said)) return [0, 6];
  if (/weekday/.test(said)) return [1, 2, 3, 4, 5];
  return DAYS.flatMap((day, at) => (said.includes(day) ? [at] : []));
}

/** Where the verb stands that the days are said of: before them, or before a period that is said of it too ("shipped in May 1998 on a Monday"). */
function verbBefore(from: number, { tokens }: PhraseContext): number {
  let at = from - 1;
  while (at > from - MOST_BETWEEN && OF_PERIODS.test(tokens[at]?.lower ?? '')) at -= 1;
  return saysWhatIsDone(tokens[at]?.lower ?? '') ? at : from - 1;
}

const MOST_BETWEEN = 6;
const OF_PERIODS =
  /^(?:\d{1,4}|in|during|on|of|the|before|after|since|until|early|late|last|this|year|month|quarter|q[1-4]|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber)$/;

function saysWhatIsDone(word: string): boolean {
  return isParticiple(word) && !/^(?:weekend|weekday)/.test(word);
}

/** Whether the verb has nothing more to say behind the day: it says nothing by itself, or the date that it names is the one looked at. */
function isSpent(at: number, context: PhraseContext): boolean {
  const { tokens, named, knowledge } = context;
  const verb = tokens[at]?.lower ?? '';
  if (SAYS_NOTHING.test(verb)) return true;
  return isParticiple(verb) && named.some((table) => dateCalled(verb, table, knowledge) !== undefined);
}

/** The date of the verb before ("shipped on Mondays"), else that of the rows themselves, unless the verb tells of another one that is not here. */
function spokenOf(verbAt: number, { tokens, knowledge, named, measured }: PhraseContext) {
  const verb = tokens[verbAt]?.lower ?? '';
  for (const table of named) {
    const called = /(?:ed|en|wn|ld|nt)$/.test(verb) ? dateCalled(verb, table, knowledge) : undefined;
    if (called !== undefined) return called;
  }
  const isOther = isParticiple(verb) && !SAYS_NOTHING.test(verb);
  const [date, rival] = measured;
  if (!isOther && date !== undefined && rival === undefined) return knowledge.graph.column(date);
  for (const table of isOther ? [] : named) {
    const own = isOfPeople(table, knowledge) ? undefined : ownDate(table, knowledge);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** What people do on Fridays is not said of the day they were hired on; `customer_orders` are no people. */
function isOfPeople(table: string, { graph }: GroundedKnowledge): boolean {
  return isInField(splitName(graph.table(table).name).at(-1) ?? '', 'person');
}

/** Where a column holds the names of days, or the semantic model says what they are, that is meant. */
function isStored(said: string, { knowledge }: PhraseContext): boolean {
  return said
    .split(/ (?:\. )?(?:and|or) (?:on )?(?:an? |the )?| \. /)
    .flatMap((day) => [day, day.replace(/s$/, '')])
    .some((day) =>
      knowledge
        .lookupValue(day)
        .some(({ columnId, score }) => score > 1 || (score >= STORED && /day/i.test(columnId))),
    );
}

/** The same letters, whatever their case. */
const STORED = 0.96;

function isAmong(argument: Expression, days: readonly number[]): Predicate {
  const value: Expression = { kind: 'date-part', part: 'weekday', argument };
  const values = days.map((day): Expression => ({ kind: 'literal', value: day }));
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? { kind: 'compare', operator: '=', left: value, right: only }
    : { kind: 'in', value, values, negated: false };
}

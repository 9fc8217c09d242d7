/** The time of a metric, and of a verb that names one: the period and the groups of a query are of that column. */
import { breakWords } from '../../../language/index.ts';
import type { Source } from '../../../sql/scope/index.ts';
import { ancestor, childrenIn, type SqlNode, walk } from '../../../sql/tree/index.ts';
import type { NamedMetric } from './named-metrics.ts';
import { aggregateAround, conditionOf, type QueryUses } from './query-uses.ts';
import { type QuestionWords, stemOf, stemsIn } from './question-words.ts';

export function brokenTimes(
  named: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly string[] {
  const dated = datedTables(named, uses, words);
  return dated.flatMap(({ table, due }) => {
    const sources = uses.reads(table);
    const all = [...new Set(sources.flatMap((source) => periodsOf(source, uses)))];
    // Where a period is given, it has to be of the time that is due, whatever the groups are of.
    const given = [...new Set(sources.flatMap((source) => periodsOf(source, uses, isBounded)))];
    const periods = given.length > 0 ? given : all;
    const isCommon = due.length > 1 && due.some(({ column }) => periods.includes(uses.columnId(column)));
    if (isCommon && sources.length === 1) return [];
    return due.flatMap(({ what, column }) => {
      if (periods.includes(uses.columnId(column))) return [];
      const others = periods.filter(
        (id) => !isNamed(id, column, { uses, words }) && !due.some((one) => uses.columnId(one.column) === id),
      );
      const [other] = others.length === periods.length ? others : [];
      return other === undefined ? [] : [`${what} is dated by ${column}, and the query goes by ${other}`];
    });
  });
}

interface Due {
  readonly what: string;
  readonly column: string;
}

/** A verb with a period names its day; else the metrics do, or what the table is dated by. */
function datedTables(
  named: readonly NamedMetric[],
  uses: QueryUses,
  words: QuestionWords,
): readonly { readonly table: string; readonly due: readonly Due[] }[] {
  const { datasets } = uses.semantics;
  return datasets.flatMap(({ name, table, synonyms, timeColumn }) => {
    if (uses.reads(table).length === 0) return [];
    const byVerb = timesOf(table, uses).filter((id) => isDatedBy(id, uses, words));
    if (byVerb.length > 0)
      return [{ table, due: byVerb.map((column) => ({ what: 'what the question asks for', column })) }];
    const own = named.flatMap(({ metric }) =>
      metric.table === table && metric.timeColumn !== undefined
        ? [{ what: metric.name, column: metric.timeColumn }]
        : [],
    );
    if (own.length > 0) return [{ table, due: distinctDue(own) }];
    // Rows that no output is called after have been looked at with the question's own metrics.
    if (named.some(({ isAliased }) => isAliased)) return [];
    const isSaid = [name, ...synonyms].some((one) => words.has(one));
    const isMetric = named.some(({ metric }) => metric.table === table);
    return isSaid && !isMetric && timeColumn !== undefined
      ? [{ table, due: [{ what: name, column: timeColumn }] }]
      : [];
  });
}

function distinctDue(due: readonly Due[]): readonly Due[] {
  return due.filter(({ column }, at) => due.findIndex((one) => one.column === column) === at);
}

/** Columns of a use that a period, a group or a day of the calendar is of. */
function periodsOf(
  source: Source,
  uses: QueryUses,
  isMeant: (node: SqlNode) => boolean = () => true,
): readonly string[] {
  return uses.mentions.flatMap(({ source: own, id, node }) =>
    own === source && isTime(id, uses) && (isPeriod(node, source, uses) || isGroup(node)) && isMeant(node)
      ? [id]
      : [],
  );
}

/** A condition on the rows that compares with a written time. */
function isBounded(node: SqlNode): boolean {
  const condition = conditionOf(node);
  return (
    condition !== undefined &&
    aggregateAround(node) === undefined &&
    [...walk(condition)].some(({ type, value = '' }) => type === 'Literal' && /\d{4}/.test(value))
  );
}

/** Compared with something that is no other time of the same table: that is an order of events, or a duration. */
function isPeriod(node: SqlNode, source: Source, uses: QueryUses): boolean {
  const condition = conditionOf(node);
  if (condition === undefined || isNullTest(condition)) return false;
  for (const one of walk(condition))
    for (const home of uses.homesOf(one)) {
      if (home.source === source && home.id === idAt(node, source, uses)) continue;
      if (isTime(home.id, uses) && !isCalendar(home.source, uses) && home.id !== idAt(node, source, uses))
        return false;
    }
  return true;
}

function idAt(node: SqlNode, source: Source, uses: QueryUses): string | undefined {
  return uses.homesOf(node).find((home) => home.source === source)?.id;
}

function isNullTest(condition: SqlNode): boolean {
  const inner = condition.type === 'Not' ? condition.children[0] : condition;
  return inner?.type === 'Is' && inner.children[1]?.type === 'Null';
}

function isGroup(node: SqlNode): boolean {
  if (aggregateAround(node) !== undefined) return false;
  const part = ancestor(node, ({ parent }) => parent?.type === 'Select' || parent === undefined);
  const top = part ?? node;
  if (top.role === 'group') return true;
  const isComputed = ancestor(node, ({ type, flags }) => type === 'Select' || flags.call !== undefined);
  const select = ancestor(node, ({ type }) => type === 'Select');
  return (
    top.role === 'expressions' &&
    isComputed?.type !== 'Select' &&
    select !== undefined &&
    (childrenIn(select, 'group').length > 0 || childrenIn(select, 'distinct').length > 0) &&
    !isDifference(node)
  );
}

function isDifference(node: SqlNode): boolean {
  return ancestor(node, ({ type }) => type === 'Sub' || type === 'Select')?.type === 'Sub';
}

/** The other end of links that days are looked up by. */
function isCalendar({ table }: Source, { semantics, schema }: QueryUses): boolean {
  return semantics.dimensions.some(
    ({ isTime: isDate, table: home }) =>
      isDate && schema.tables.get(table?.id ?? '')?.name.toLowerCase() === home.toLowerCase(),
  );
}

const TIME_NAME = /(?:^|_)(?:on|at|dt|date|day|month|ts|since|start)$|(?:date|_ts)$/i;

function isTime(id: string, uses: QueryUses): boolean {
  const column = uses.schema.columns.get(id);
  if (column === undefined) return false;
  const { metrics, datasets } = uses.semantics;
  const isDated = [...metrics, ...datasets].some(
    ({ timeColumn }) => timeColumn !== undefined && uses.columnId(timeColumn) === id,
  );
  if (isDated || column.family === 'time') return true;
  return column.profile?.pattern?.startsWith('iso-') === true || TIME_NAME.test(column.name);
}

function timesOf(table: string, uses: QueryUses): readonly string[] {
  const start = `${uses.tableId(table)}.`;
  return [...uses.schema.columns.keys()].filter((id) => id.startsWith(start) && isTime(id, uses));
}

/** Words for a column: its name and what people call it. */
function stemsFor(id: string, uses: QueryUses): ReadonlySet<string> {
  const names = (uses.semantics.fields ?? [])
    .filter(({ column }) => uses.columnId(column) === id)
    .flatMap(({ name, synonyms }) => [name, ...synonyms]);
  return new Set([...stemsIn(names.join(' ')), ...verbsFor(id, uses)]);
}

/** What its name says, and the other words for the state that begins on that day: arrived, where delivered is stored. */
function verbsFor(id: string, uses: QueryUses): ReadonlySet<string> {
  const table = id.slice(0, id.lastIndexOf('.') + 1);
  const own = nameStems(id, uses);
  const alike = uses.semantics.valueMappings.filter(
    ({ column, surface }) =>
      uses.columnId(column).startsWith(table) &&
      surface.some((one) => [...stemsIn(one)].some((stem) => own.has(stem))),
  );
  return new Set([...own, ...stemsIn(alike.flatMap(({ surface }) => surface).join(' '))]);
}

/** A word of the question is for this time and neither for the one that is due nor for the rows themselves. */
function isNamed(
  id: string,
  due: string,
  { uses, words }: { readonly uses: QueryUses; readonly words: QuestionWords },
): boolean {
  const rows = uses.semantics.datasets.flatMap(({ name, synonyms }) => [name, ...synonyms]);
  const common = new Set([...stemsFor(due, uses), ...stemsIn(rows.join(' '))]);
  const own = [...stemsFor(id, uses)].filter((stem) => !common.has(stem));
  return words.placesOfStems(new Set(own)).some((place) => !words.isWidened(place));
}

/** “delivered in 2024”: the verb, with a time right behind it. */
function isDatedBy(id: string, uses: QueryUses, question: QuestionWords): boolean {
  const own = verbsFor(id, uses);
  const { words } = question;
  return words.some(({ plain, raw }, at) => {
    if (!/ed$/i.test(raw) || !own.has(stemOf(plain))) return false;
    // What was not assigned in a year has no day of that.
    if (question.isNegated({ start: at, end: at + 1 })) return false;
    const next = words.slice(at + 1, at + 4).map((word) => word.plain);
    const [first = '', second = ''] = TIME_PREPOSITIONS.has(next[0] ?? '') ? next.slice(1) : next;
    return TIME_WORDS.test(first) || (first === 'the' && TIME_WORDS.test(second));
  });
}

/** “days from booking to delivery”: both ends are named, and the query has another time in place of one. */
export function brokenSpans(uses: QueryUses, words: QuestionWords): readonly string[] {
  const ends = spansIn(words);
  return uses.semantics.datasets.flatMap(({ table }) => {
    if (uses.reads(table).length === 0) return [];
    const times = timesOf(table, uses);
    return ends.flatMap((span) => {
      const due = span.map((word) => times.filter((id) => nameStems(id, uses).has(stemOf(word))));
      const [first, last] = due.map(([id]) => id);
      const isClear = due.every(({ length }) => length === 1) && first !== last;
      if (!isClear || first === undefined || last === undefined) return [];
      const missing = [first, last].filter((id) => uses.mentionsOf(id).length === 0);
      const other = times.find((id) => id !== first && id !== last && uses.mentionsOf(id).length > 0);
      const [absent] = missing;
      return missing.length !== 1 || absent === undefined || other === undefined
        ? []
        : [`the question asks for the time from ${first} to ${last}, and the query takes ${other}`];
    });
  });
}

function spansIn({ words }: QuestionWords): readonly (readonly [string, string])[] {
  return words.flatMap(({ plain }, at) => {
    const [one, joint = '', last] = words.slice(at + 1, at + 4).map((word) => word.plain);
    const isSpan = (plain === 'from' && joint === 'to') || (plain === 'between' && joint === 'and');
    return isSpan && one !== undefined && last !== undefined ? [[one, last] as const] : [];
  });
}

function nameStems(id: string, { schema }: QueryUses): ReadonlySet<string> {
  const name = schema.columns.get(id)?.name ?? id.slice(id.lastIndexOf('.') + 1);
  return stemsIn(breakWords(name));
}

const TIME_PREPOSITIONS: ReadonlySet<string> = new Set(
  'in on during since before after between from until by per each every'.split(' '),
);
const TIME_WORDS =
  /^(?:(?:19|20)\d\d|q[1-4]|h[12]|fy\d*|this|last|past|previous|today|yesterday|year|quarter|month|week|day|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/;

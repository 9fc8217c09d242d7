import type { Column } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';
import type { Comparison, Expression } from '../../../../sql/print/index.ts';
import { dateCalled, datesOf } from '../../resolve/date-columns.ts';
import { columnOf, type Phrase, type PhraseContext, textFrom, tokensIn, whereMeaning } from './phrase.ts';

/** Until when something was promised, and when it was done. */
const PROMISED = /^(?:required|due|promised?|deadline|expected|planned|scheduled|target|eta)$/;
const DONE =
  /^(?:ship|shipped|delivered|delivery|returned?|paid|payment|arrived|arrival|completed|finished|closed|actual)$/;

const FORMS: readonly { readonly pattern: RegExp; readonly operator: Comparison }[] = [
  { pattern: /^(?:too )?late\b/, operator: '>' },
  { pattern: /^overdue\b/, operator: '>' },
  {
    pattern:
      /^(?:after|later than|past) (?:the|their|its) (?:required|due|promised|expected|planned|scheduled)(?: date| day| time)?\b/,
    operator: '>',
  },
  { pattern: /^after (?:they were|it was) (?:required|due|promised|expected|planned)\b/, operator: '>' },
  { pattern: /^(?:on|in) time\b/, operator: '<=' },
  {
    pattern:
      /^(?:before|earlier than) (?:the|their|its) (?:required|due|promised|expected|planned|scheduled)(?: date| day| time)?\b/,
    operator: '<',
  },
  { pattern: /^before (?:they were|it was) (?:required|due|promised|expected|planned)\b/, operator: '<' },
];

/** "shipped late", "delivered on time": the day on which it was done beside the one for which it was promised. */
export function lateness(context: PhraseContext): readonly Phrase[] {
  const { tokens } = context;
  for (let from = 0; from < tokens.length; from += 1) {
    const rest = textFrom(tokens, from);
    for (const { pattern, operator } of FORMS) {
      const match = pattern.exec(rest);
      if (match === null || isKnown(from, context)) continue;
      const dates = promiseOf(from, context);
      if (dates === undefined) return [];
      const [done, promised] = dates.map((column) => dayOf(column, dates, context));
      if (done === undefined || promised === undefined) return [];
      return [
        {
          from,
          to: from + tokensIn(match[0]),
          meaning: whereMeaning({ kind: 'compare', operator, left: done, right: promised }, dates[0].tableId),
          tableId: dates[0].tableId,
        },
      ];
    }
  }
  return [];
}

/** A figure, a column or a value that has these words means them itself. */
function isKnown(from: number, { tokens, knowledge }: PhraseContext): boolean {
  const words = tokens.slice(from, from + 2).map(({ lower }) => lower);
  const before = tokens.slice(Math.max(0, from - 1), from + 1).map(({ lower }) => lower);
  const isNamed = [words, words.slice(0, 1), before].some((span) =>
    knowledge.names.match(span).some(({ score }) => score >= NAMED),
  );
  return isNamed || knowledge.lookupValue(words[0] ?? '').some(({ score }) => score >= 1);
}

const NAMED = 0.85;

function promiseOf(
  from: number,
  { tokens, knowledge, named }: PhraseContext,
): readonly [Column, Column] | undefined {
  const verb = tokens[from - 1]?.lower ?? '';
  for (const table of named) {
    const dates = datesOf(table, knowledge);
    const promised = dates.filter(({ name }) => splitName(name).some((word) => PROMISED.test(word)));
    const done = dates.filter(
      (column) => !promised.includes(column) && splitName(column.name).some((word) => DONE.test(word)),
    );
    const called = dateCalled(verb, table, knowledge);
    const [by, second] = promised;
    const at =
      called !== undefined && !promised.includes(called) ? called : done.length === 1 ? done[0] : undefined;
    if (by !== undefined && second === undefined && at !== undefined) return [at, by];
  }
  return undefined;
}

/** A moment is on time all through the day that was promised. */
function dayOf(column: Column, both: readonly Column[], { knowledge }: PhraseContext): Expression {
  const argument = columnOf(column, knowledge);
  return both.every(
    ({ type, profile }) => type === both[0]?.type && profile?.pattern === both[0]?.profile?.pattern,
  )
    ? argument
    : { kind: 'date-part', part: 'day', argument };
}

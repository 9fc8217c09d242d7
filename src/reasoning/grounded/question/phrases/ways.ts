import type { Column } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';
import type { Predicate } from '../../../../sql/print/index.ts';
import { BARE, fromTable } from '../../query/plan/parts/plan-view.ts';
import type { ValueMatch } from '../mention/mention.ts';
import { columnOf, type Phrase, type PhraseContext, textFrom, tokensIn, whereMeaning } from './phrase.ts';

const ORIGIN = /^(?:orig|origin|source|src|from|start|departure|depart|sender|pickup)$/;
const DESTINATION = /^(?:dest|destination|target|tgt|to|end|arrival|arrive|receiver|dropoff)$/;
/** What stands before the place that is left, and before the one that is reached. */
const LEAVING = /^(?:from|left|leaving|departed from|departing from|started in|starting in|started from) /;
const REACHING =
  /^(?:(?:and )?(?:arrived (?:at|in)|arriving (?:at|in)|went to|going to|ended (?:at|in|up in)|ending (?:at|in)|reached|reaching)|to|into) /;
const MOST_WORDS = 4;
/** The same letters, whatever their case. */
const STORED = 0.96;

/** Two keys of a table to the same other one: where its rows come from, and where they go. */
interface Way {
  readonly tableId: string;
  readonly placeId: string;
  readonly origin: Column;
  readonly destination: Column;
  readonly key: Column;
}

/** "from Maple to North", "left Central and arrived at Harbour": each place in its own role. */
export function ways(context: PhraseContext): readonly Phrase[] {
  const { tokens } = context;
  const known = waysOf(context);
  for (let from = 0; known.length > 0 && from < tokens.length; from += 1) {
    const lead = LEAVING.exec(textFrom(tokens, from));
    if (lead === null) continue;
    for (const way of known) {
      const left = placeAt(from + tokensIn(lead[0]), way, context);
      const middle = left === undefined ? null : REACHING.exec(textFrom(tokens, left.to));
      if (left === undefined || middle === null) continue;
      const reached = placeAt(left.to + tokensIn(middle[0]), way, context);
      if (reached === undefined) continue;
      const parts = [
        among(way.origin, left.value, way, context),
        among(way.destination, reached.value, way, context),
      ];
      const meaning = whereMeaning({ kind: 'and', parts }, way.tableId);
      return [{ from, to: reached.to, meaning, tableId: way.tableId }];
    }
  }
  return [];
}

function waysOf({ knowledge: { catalog, graph }, named }: PhraseContext): readonly Way[] {
  const called = (column: Column, kind: RegExp): boolean =>
    splitName(column.name).some((word) => kind.test(word));
  const keys = catalog.foreignKeys.flatMap(({ fromTable: tableId, toTable, fromColumns, toColumns }) => {
    const [own, second] = fromColumns;
    const [key] = toColumns;
    return own === undefined || key === undefined || second !== undefined || !named.includes(tableId)
      ? []
      : [{ tableId, placeId: toTable, column: graph.column(own), key: graph.column(key) }];
  });
  return keys
    .filter(({ column }) => called(column, ORIGIN))
    .flatMap(({ tableId, placeId, column: origin, key }) =>
      keys
        .filter((other) => other.tableId === tableId && other.placeId === placeId)
        .filter(({ column }) => called(column, DESTINATION))
        .map(({ column: destination }) => ({ tableId, placeId, origin, destination, key })),
    );
}

function placeAt(
  from: number,
  { placeId }: Way,
  { tokens, knowledge }: PhraseContext,
): { readonly to: number; readonly value: ValueMatch } | undefined {
  for (let to = Math.min(tokens.length, from + MOST_WORDS); to > from; to -= 1) {
    const span = tokens.slice(from, to);
    if (span.some(({ kind }) => kind === 'stop' || kind === 'comma')) continue;
    const [value] = knowledge
      .lookupValue(span.map(({ text }) => text).join(' '))
      .filter(({ tableId, score }) => tableId === placeId && score >= STORED);
    if (value !== undefined) return { to, value };
  }
  return undefined;
}

function among(
  own: Column,
  { columnId, value }: ValueMatch,
  { placeId, key }: Way,
  { knowledge }: PhraseContext,
): Predicate {
  const where: Predicate = {
    kind: 'compare',
    operator: '=',
    left: columnOf(knowledge.graph.column(columnId), knowledge),
    right: { kind: 'literal', value },
  };
  const query = {
    ...BARE,
    select: [{ expression: columnOf(key, knowledge) }],
    from: fromTable(knowledge.graph.table(placeId)),
    where: [where],
  };
  return { kind: 'in-query', value: columnOf(own, knowledge), query, negated: false };
}

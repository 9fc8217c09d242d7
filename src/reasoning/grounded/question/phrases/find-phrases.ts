import type { Column } from '../../../../catalog/index.ts';
import { splitName } from '../../../../language/index.ts';
import type { Comparison } from '../../../../sql/print/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { isNumeric, isYear } from '../../resolve/noun-candidates.ts';
import type { DefinedSpan } from '../hints/defined-filter.ts';
import type { Token } from '../read/tokenise.ts';
import { durations } from './durations.ts';
import { lateness } from './lateness.ts';
import {
  columnOf,
  type Phrase,
  type PhraseContext,
  type PhraseKind,
  textFrom,
  tokensIn,
  whereMeaning,
} from './phrase.ts';
import { selfRelations } from './self-relations.ts';
import { ways } from './ways.ts';
import { weekdays } from './weekdays.ts';

/** Every kind, in the order in which they are tried: the first that reads words keeps them. */
const KINDS: readonly PhraseKind[] = [selfRelations, ways, durations, lateness, stock, signs, weekdays];

/** What was read whole weighs more than any name or value that is like a part of it. */
const PHRASE_SCORE = 1.3;

/** Spans of the question that are conditions and figures by what the columns of one table have to do with one another. */
export function findPhrases(tokens: readonly Token[], knowledge: GroundedKnowledge): readonly DefinedSpan[] {
  const context: PhraseContext = {
    tokens,
    knowledge,
    named: namedTables(tokens, knowledge),
    measured: measuredDates(tokens, knowledge),
  };
  const spans: DefinedSpan[] = [];
  for (const kind of KINDS)
    for (const { from, to, meaning, tableId } of kind(context)) {
      if (spans.some((span) => from < span.to && span.from < to)) continue;
      const noun = { kind: 'table' as const, id: tableId, tableId, score: 0.9, why: 'its columns tell it' };
      spans.push({ from, to, score: PHRASE_SCORE, nouns: [noun], values: [], meaning, isDefined: true });
    }
  return spans;
}

/** Tables by one word or two, those that are named well. */
function namedTables(tokens: readonly Token[], { names }: GroundedKnowledge): readonly string[] {
  const found = tokens.flatMap(({ lower }, at) =>
    [[lower], [lower, tokens[at + 1]?.lower ?? '']].flatMap((words) =>
      names
        .match(words)
        .filter(({ score, tableId }) => score >= NAMED && tableId !== '')
        .filter(({ kind }) => kind !== 'column' && kind !== 'dimension')
        .map(({ tableId }) => tableId),
    ),
  );
  return [...new Set(found)];
}

/** What the metrics that are named go by: deliveries by the day on which they came. */
function measuredDates(tokens: readonly Token[], { names, semantics }: GroundedKnowledge): readonly string[] {
  const found = tokens.flatMap(({ lower }, at) =>
    [[lower], [lower, tokens[at + 1]?.lower ?? '']].flatMap((words) =>
      names.match(words).filter(({ kind, score }) => kind === 'metric' && score >= NAMED),
    ),
  );
  const dates = found.flatMap(
    ({ id }) => semantics.metrics.find(({ name }) => name === id)?.timeColumn ?? [],
  );
  return [...new Set(dates)];
}

const NAMED = 0.85;

const SIGNS: ReadonlyMap<string, Comparison> = new Map([
  ['negative', '<'],
  ['positive', '>'],
]);

/** "negative payments", "products with a negative unit price": the figure that is named behind, or the only one of the table. */
function signs({ tokens, knowledge, named }: PhraseContext): readonly Phrase[] {
  const from = tokens.findIndex(({ lower }) => SIGNS.has(lower));
  const operator = SIGNS.get(tokens[from]?.lower ?? '');
  if (operator === undefined) return [];
  const behind = tokens.slice(from + 1, from + 3).map(({ lower }) => lower);
  const isHeld = /^(?:a|an|with|having|have|has|had)$/.test(tokens[from - 1]?.lower ?? '');
  const told = columnsCalled(behind, named, knowledge);
  const [column, second] =
    told.columns.length > 0 ? told.columns : named.flatMap((id) => figuresOf(id, knowledge));
  if (column === undefined || second !== undefined) return [];
  const left = columnOf(column, knowledge);
  const right = { kind: 'literal' as const, value: 0 };
  const length = 1 + (isHeld ? told.length : 0);
  const meaning = whereMeaning({ kind: 'compare', operator, left, right }, column.tableId);
  return [{ from, to: from + length, meaning, tableId: column.tableId }];
}

/** The numbers that the words behind name whole, in a table of the question where one is named. */
function columnsCalled(
  words: readonly string[],
  named: readonly string[],
  { names, graph }: GroundedKnowledge,
): { readonly columns: readonly Column[]; readonly length: number } {
  for (const length of [2, 1].filter((one) => one <= words.length)) {
    const columns = names
      .match(words.slice(0, length))
      .filter(({ kind, score }) => kind === 'column' && score >= WHOLE)
      .map(({ id }) => graph.column(id))
      .filter(isNumeric);
    const stored = columns.filter(({ tableId }) => graph.table(tableId).kind !== 'view');
    const told = stored.length > 0 ? stored : columns;
    const near = told.filter(({ tableId }) => named.includes(tableId));
    if (told.length > 0) return { columns: near.length > 0 ? near : told, length };
  }
  return { columns: [], length: 0 };
}

const WHOLE = 0.93;

/** Numbers that are neither keys nor years. */
function figuresOf(tableId: string, { graph }: GroundedKnowledge): readonly Column[] {
  const table = graph.table(tableId);
  const keys = new Set([...table.primaryKey, ...graph.edges(tableId).flatMap((edge) => edge.fromColumns)]);
  return table.columns.filter(
    (column) => column.family === 'number' && !keys.has(column.id) && !isYear(column),
  );
}

const FORMS: readonly { readonly pattern: RegExp; readonly operator: Comparison }[] = [
  { pattern: /^(?:out of stock|sold out|not in stock)\b/, operator: '=' },
  { pattern: /^(?:still )?in stock\b/, operator: '>' },
];

/** "out of stock", "in stock": how many pieces there are. */
function stock(context: PhraseContext): readonly Phrase[] {
  const { tokens, knowledge, named } = context;
  for (let from = 0; from < tokens.length; from += 1) {
    const rest = textFrom(tokens, from);
    const form = FORMS.find(({ pattern }) => pattern.test(rest));
    if (form === undefined || isMeasured(tokens[from - 1]?.lower ?? '')) continue;
    for (const tableId of named) {
      const [column, second] = knowledge.graph
        .table(tableId)
        .columns.filter((one) => isNumeric(one) && isStockLevel(one.name));
      if (column === undefined || second !== undefined) continue;
      const left = columnOf(column, knowledge);
      const predicate = {
        kind: 'compare' as const,
        operator: form.operator,
        left,
        right: { kind: 'literal' as const, value: 0 },
      };
      const length = tokensIn(form.pattern.exec(rest)?.[0] ?? '');
      return [{ from, to: from + length, meaning: whereMeaning(predicate, tableId), tableId }];
    }
  }
  return [];
}

/** "units in stock" is the name of a column. */
function isMeasured(before: string): boolean {
  return /^(?:units?|quantity|amount|number|pieces?|items?|value|level)$/.test(before);
}

function isStockLevel(name: string): boolean {
  const words = splitName(name);
  return words.includes('stock') || (words.includes('hand') && words.includes('on'));
}

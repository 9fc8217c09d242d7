import type { Column } from '../../../../catalog/index.ts';
import type { Comparison } from '../../../../sql/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import { isNumeric, isYear } from '../../resolve/noun-candidates.ts';
import { columnOf, type Phrase, type PhraseContext, whereMeaning } from './phrase.ts';

const SIGNS: ReadonlyMap<string, Comparison> = new Map([
  ['negative', '<'],
  ['positive', '>'],
]);

/** "negative payments", "products with a negative unit price": the figure that is named behind, or the only one of the table. */
export function signs({ tokens, knowledge, named }: PhraseContext): readonly Phrase[] {
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

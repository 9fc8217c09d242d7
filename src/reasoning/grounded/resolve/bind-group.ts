import type { Frame } from '../compose/frame.ts';
import { columnScore, tableScore } from '../compose/nouns.ts';
import type { Mention } from '../mention/mention.ts';
import type { BoundGroup, Choice } from './bound.ts';
import { columnChoices, isTimeLike, isYear, type ResolveContext, tableChoices } from './noun-candidates.ts';
import type { State } from './state.ts';

/** The ways to bind a grouping: the rows of a table, or the values of a column. */
export function bindGroup(noun: Mention, context: ResolveContext, state: State): Choice<BoundGroup>[] {
  const choices: Choice<BoundGroup>[] = [];
  for (const { tableId, score } of tableChoices(noun))
    choices.push({ value: { tableId, mention: noun }, tables: [tableId], score });
  for (const { column, score } of columnChoices(noun, context, () => true)) {
    const isShown = state.projections.some(
      (item) => item.column?.id === column.id && item.aggregate === undefined,
    );
    choices.push({
      value: { tableId: column.tableId, column, mention: noun },
      tables: [column.tableId],
      score: score + (isShown ? 0.3 : 0) - (tableScore(noun) >= 0.9 && columnScore(noun) < 0.9 ? 0.2 : 0),
    });
  }
  return choices;
}

/** "for each year": the date of a table in use, or of one the question names. */
export function bindGrain(
  item: Frame['grains'][number],
  frame: Frame,
  context: ResolveContext,
  state: State,
): Choice<BoundGroup>[] {
  const done = dateOfVerb(frame);
  const near = [...new Set([...state.tables, ...context.named.keys()])];
  const { part, mention } = item;
  return near.flatMap((tableId) =>
    context.graph
      .table(tableId)
      .columns.filter((column) => isTimeLike(column) && !isYear(column))
      .map((column) => ({
        value: { tableId, column, part, mention },
        tables: [tableId],
        score: (state.tables.includes(tableId) ? 0.7 : 0.4) + (done.has(column.id) ? DONE_THEN : 0),
      })),
  );
}

const DONE_THEN = 0.25;

/** "in which month were the most employees hired": the verb says which of the dates is meant. */
function dateOfVerb({ contexts }: Frame): ReadonlySet<string> {
  return new Set(
    contexts
      .filter(({ text }) => /^\w+(?:ed|en|wn|rn|ld|ade)$/i.test(text))
      .flatMap(({ nouns }) => nouns.flatMap(({ kind, id }) => (kind === 'column' ? id : []))),
  );
}

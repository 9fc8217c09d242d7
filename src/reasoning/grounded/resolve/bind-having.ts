import { splitName } from '../../../language/index.ts';
import type { AbsenceSlot, HavingSlot } from '../compose/frame/frame.ts';
import { joinTree } from '../query/graph/join-tree.ts';
import type { Mention } from '../question/mention/mention.ts';
import { nearestFilter } from './bind-filter.ts';
import type { Bound, BoundHaving, Choice, State } from './bound.ts';
import {
  attributeChoices,
  columnChoices,
  isNumeric,
  type ResolveContext,
  tableChoices,
} from './noun-candidates.ts';

/** The ways to bind a condition on a group: a count of rows, or a figure of a column. */
export function bindHaving(item: HavingSlot, context: ResolveContext): Choice<BoundHaving>[] {
  const { aggregate, operator, number, connective, mention, noun } = item;
  const base = { aggregate, operator, number, connective, mention };
  if (noun === undefined && item.attributes !== undefined)
    return attributeChoices(item.attributes, context, isNumeric).map(({ column, score }) => ({
      value: { ...base, column },
      tables: [column.tableId],
      score,
    }));
  if (noun === undefined) return [{ value: base, tables: [], score: 0.3 }];
  if (aggregate === 'count') {
    const tables: Choice<BoundHaving>[] = tableChoices(noun).map(({ tableId, score }) => ({
      value: { ...base, countOf: tableId },
      tables: [tableId],
      score,
    }));
    const columns: Choice<BoundHaving>[] = columnChoices(noun, context, () => true).map(
      ({ column, score }) => ({
        value: { ...base, countOf: column.tableId },
        tables: [column.tableId],
        score: score - 0.15,
      }),
    );
    return [...tables, ...columns];
  }
  return columnChoices(noun, context, isNumeric).map(({ column, score }) => ({
    value: { ...base, column },
    tables: [column.tableId],
    score,
  }));
}

/** The ways to bind "without any X": the table, and the conditions that belong to it. */
export function bindAbsence(
  { noun, filters, stated, mention }: AbsenceSlot,
  context: ResolveContext,
  state: State,
): Choice<Bound['absences'][number]>[] {
  const tables = noun === undefined ? onlyChild(mention, context, state) : tableChoices(noun);
  return tables.map(({ tableId, score }) => {
    const bound = filters.flatMap((filter) => nearestFilter(filter, tableId, context) ?? []);
    const isOwn = stated.every((condition) => condition.tables.every((table) => table === tableId));
    return {
      value: { tableId, filters: bound, stated, mention },
      tables: [],
      score: bound.length === filters.length && isOwn ? score : score - 0.5,
    };
  });
}

/** "with orders but without claims": the rows of another table that the subject must have; the nearest that is called so. */
export function bindPresence(
  noun: Mention,
  { graph }: ResolveContext,
  { projections: [shown] }: State,
): Choice<Bound['absences'][number]>[] {
  const subject = shown?.countOf ?? shown?.column?.tableId;
  if (subject === undefined) return [];
  return noun.nouns
    .filter(({ tableId }) => tableId !== subject && isChild(subject, tableId, graph))
    .map(({ tableId, kind, score }) => ({
      value: { tableId, filters: [], mention: noun, isPresence: true },
      tables: [],
      score: score - (kind === 'table' ? 0 : 0.1) - 0.15 * graph.distance(subject, tableId),
    }));
}

/** One row of the first may have many of the second. */
function isChild(subject: string, tableId: string, graph: ResolveContext['graph']): boolean {
  return joinTree(subject, [tableId], graph)?.edges.some(({ multiplies }) => multiplies) === true;
}

/** "bought nothing": the one table whose rows belong to those of the subject, or the one that the verb before is called like. */
function onlyChild(
  { text }: Mention,
  { graph }: ResolveContext,
  { projections: [shown] }: State,
): { readonly tableId: string; readonly score: number }[] {
  const subject = shown?.countOf ?? shown?.column?.tableId;
  if (subject === undefined) return [];
  const children = [
    ...new Set(
      graph.edges(subject).flatMap(({ multiplies, to }) => (multiplies && to !== subject ? to : [])),
    ),
  ];
  const named = children.filter((table) => sharesStem(text, graph.table(table).name));
  const [only, second] = named.length > 0 ? named : children;
  return only === undefined || second !== undefined ? [] : [{ tableId: only, score: 0.8 }];
}

/** "rented" and `rental`, "ordered" and `orders`. */
function sharesStem(verb: string, name: string): boolean {
  const stem = verb.toLowerCase().slice(0, Math.max(4, verb.length - 3));
  return splitName(name).some((word) => word.startsWith(stem));
}

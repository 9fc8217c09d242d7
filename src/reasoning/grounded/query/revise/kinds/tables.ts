import type { BoundAbsence, BoundFilter } from '../../../resolve/bound.ts';
import { neededTables } from '../../plan/parts/plan-view.ts';
import { type Change, type Draft, type Revision, type RevisionView, replaceAt } from './draft.ts';

/** Which tables: those that are only named, whose rows are asked for, what must have no row. */
export const TABLE_REVISIONS: readonly Revision[] = [
  { name: 'join a table that is named', revise: more },
  { name: 'leave out a table that is only named', revise: fewer },
  { name: 'a column of another table of that name', revise: otherSide },
  { name: 'rows that have none', revise: without },
  { name: 'drop what must have no row', revise: withoutAbsence },
  { name: 'have, not have none', revise: otherPresence },
];

const NAMED = 0.8;

function more({ bound }: Draft, { context }: RevisionView): Change[] {
  return [...context.named]
    .filter(([table, score]) => score >= NAMED && !bound.tables.has(table))
    .filter(([table]) => context.graph.distance(bound.subject, table) > 0)
    .slice(0, 3)
    .map(([table]) => ({ bound: { tables: new Set([...bound.tables, table]) } }));
}

function fewer({ bound }: Draft): Change[] {
  const needed = new Set([bound.subject, ...neededTables(bound)]);
  return [...bound.tables]
    .filter((table) => !needed.has(table))
    .map((table) => ({ bound: { tables: new Set([...bound.tables].filter((other) => other !== table)) } }));
}

/** `student.dept_id` for `department.dept_id`: where a key is shown, either side of it. */
function otherSide(
  { bound: { projections, absences } }: Draft,
  { context: { graph } }: RevisionView,
): Change[] {
  // Every row of the other side has one here: without any of them there is nothing to show.
  if (absences.length > 0) return [];
  return projections.flatMap((item, place) => {
    const { column } = item;
    if (column === undefined || item.aggregate !== undefined) return [];
    return graph
      .edges(column.tableId)
      .filter(({ fromColumns }) => fromColumns.length === 1 && fromColumns[0] === column.id)
      .slice(0, 2)
      .flatMap(({ toColumns }) => {
        const [other] = toColumns;
        return other === undefined
          ? []
          : [
              {
                bound: {
                  projections: replaceAt(projections, place, { ...item, column: graph.column(other) }),
                },
              },
            ];
      });
  });
}

function absencesOf(absences: readonly BoundAbsence[]): Change {
  return { bound: { absences } };
}

function without({ bound }: Draft, { mentions, context }: RevisionView): Change[] {
  if (bound.absences.length > 0 || !mentions.some(({ cue }) => cue?.kind === 'not')) return [];
  return [...context.named]
    .filter(([table, score]) => score >= NAMED && table !== bound.subject)
    .filter(([table]) => context.graph.distance(bound.subject, table) > 0)
    .slice(0, 2)
    .map(([tableId]) => ({
      bound: {
        absences: [{ tableId, filters: affirmed(bound.filters, tableId) }],
        filters: bound.filters.filter(({ column }) => column.tableId !== tableId),
        tables: new Set([...bound.tables].filter((table) => table !== tableId)),
      },
    }));
}

/** The conditions on a table; the absence itself says "not". */
function affirmed(filters: Draft['bound']['filters'], tableId: string): BoundFilter[] {
  return filters
    .filter(({ column }) => column.tableId === tableId)
    .map((filter) => ({ ...filter, isNegated: false }));
}

function withoutAbsence({ bound: { absences } }: Draft): Change[] {
  return absences.map((_, place) => absencesOf(replaceAt(absences, place)));
}

function otherPresence({ bound: { absences } }: Draft): Change[] {
  return absences.map((absence, place) =>
    absencesOf(replaceAt(absences, place, { ...absence, isPresence: absence.isPresence !== true })),
  );
}

import type { PlanView } from './plan-view.ts';

interface OnceOptions {
  readonly isDistinct: boolean;
  readonly keepsCategories?: boolean;
}

/** Whether equal rows are shown once: asked for, or the values of a category. */
export function isShownOnce(view: PlanView, { isDistinct, keepsCategories }: OnceOptions): boolean {
  return isDistinct || (keepsCategories !== true && (listsCategories(view) || excludesValues(view)));
}

/** "which countries have no friendly match": what is left are values of the column, not rows. */
function excludesValues({ bound }: PlanView): boolean {
  return bound.absences.some(({ tableId, isPresence }) => tableId === bound.subject && isPresence !== true);
}

/** "what are the payment methods": each kind once, where a column holds few kinds and no table is asked about. */
function listsCategories({ bound, context }: PlanView): boolean {
  if (bound.orders.length > 0 || bound.projections.length !== 1) return false;
  return bound.projections.every(({ column }) => {
    if (column === undefined || column.family !== 'text' || context.named.has(column.tableId)) return false;
    return (
      (column.profile?.distinctCount ?? Number.POSITIVE_INFINITY) <
      0.8 * context.graph.table(column.tableId).rowCount
    );
  });
}

import type { Assumption } from '../../../../answer.ts';
import type { Frame } from '../../compose/frame/frame.ts';
import { isKeyOfOthers, isShownOnce } from './parts/clauses.ts';
import type { PlanView } from './parts/plan-view.ts';
import { figureOfExtreme } from './shapes/figure-of-extreme.ts';

/** What a question says of the rows that are shown. */
export interface PlanOptions {
  /** What is asked of the counts of groups. */
  readonly overall?: 'avg' | 'sum';
  readonly limit?: number;
  /** Which row of the ranking is asked for, where it is not the first. */
  readonly place?: number;
  readonly isDistinct: boolean;
  /** Each step of time is shown with all before it. */
  readonly isRunning?: boolean;
  /** A row is shown for each row of the many side that it meets. */
  readonly keepsMatches?: boolean;
  /** Values of a category are shown as often as they occur. */
  readonly keepsCategories?: boolean;
  /** All rows in first place are shown. */
  readonly keepsTies?: boolean;
}

/** What a frame says of the rows that are shown. */
export function planOptions({ limit, isDistinct, overall, place, running }: Frame): PlanOptions {
  return { limit, isDistinct, overall, place: place?.number, isRunning: running !== undefined };
}

/** The defaults that a plan takes, said to people. */
export function planAssumptions(view: PlanView, options: PlanOptions): Assumption[] {
  const { bound, tree } = view;
  const { limit, isDistinct } = options;
  const assumed: Assumption[] = [];
  if (!isDistinct && isShownOnce(view, options))
    assumed.push({
      ...{ kind: 'grain', id: 'grain', taken: 'once', text: 'Each value is shown once.' },
      alternatives: [{ choice: 'repeated', label: 'as often as it occurs' }],
    });
  for (const { aggregate, column, isDistinct } of bound.projections)
    if (aggregate === 'count' && column !== undefined && !isDistinct && isKeyOfOthers(column, view))
      assumed.push({ kind: 'grain', text: `What ${column.name} repeats is counted once.` });
  if (options.place !== undefined)
    assumed.push({
      kind: 'tie',
      text: `Rows are counted one by one: of several that are equal, any may be number ${options.place}.`,
    });
  else if (options.keepsTies !== true && limit === 1 && bound.orders.some((order) => order.isSuperlative))
    assumed.push(oneOfTied(view, limit));
  for (const { column, takenIn } of bound.filters)
    if (takenIn !== undefined)
      assumed.push({ kind: 'value', text: `${column.id} tells no unit; it was taken to be in ${takenIn}.` });
  for (const edge of tree.ambiguous)
    assumed.push({
      kind: 'join',
      text: `${edge.from} is joined to ${edge.to} by ${edge.fromColumns.join(', ')}; there are other keys.`,
    });
  for (const edge of tree.edges) {
    if (edge.key.source !== 'inferred') continue;
    assumed.push({
      kind: 'join',
      text: `The link ${edge.from} – ${edge.to} is inferred from names and values, not declared.`,
    });
  }
  return assumed;
}

/** All rows in first place can be shown where the ranking can be written as a condition; what is counted for each group cannot. */
function oneOfTied({ bound, context }: PlanView, limit: number): Assumption {
  const text = 'Of several rows in first place one is shown.';
  if (figureOfExtreme(bound, { limit, keepsTies: true }, context) === null) return { kind: 'tie', text };
  const alternatives = [{ choice: 'all', label: 'all rows in first place' }];
  return { kind: 'tie', id: 'tie', taken: 'one', text, alternatives };
}

import type { Frame } from '../../../compose/frame/frame.ts';
import type { Mention } from '../../../question/mention/mention.ts';
import type { Bound } from '../../../resolve/bound.ts';
import type { ResolveContext } from '../../../resolve/noun-candidates.ts';
import { neededTables } from '../../plan/parts/plan-view.ts';
import type { PlanOptions } from '../../plan/plan-options.ts';

/** A reading on its way: what is bound, how it is planned, and what was changed since the rules wrote it. */
export interface Draft {
  readonly bound: Bound;
  readonly options: PlanOptions;
  /** Names of revisions, in order. */
  readonly revisions: readonly string[];
}

/** What a revision may look at. */
export interface RevisionView {
  readonly frame: Frame;
  readonly mentions: readonly Mention[];
  readonly context: ResolveContext;
}

/** One kind of change: every draft that it makes of another. */
export interface Revision {
  readonly name: string;
  readonly revise: (draft: Draft, view: RevisionView) => Change[];
}

export type Change = { readonly bound?: Partial<Bound>; readonly options?: Partial<PlanOptions> };

/** The draft with a change: its tables are those it now needs and those that are only named. */
export function changed({ bound, options, revisions }: Draft, change: Change, name: string): Draft {
  const next = { ...bound, ...change.bound };
  return {
    bound: change.bound === undefined ? bound : withTables(bound, next, change.bound),
    options: { ...options, ...change.options },
    revisions: [...revisions, name],
  };
}

function withTables(before: Bound, next: Bound, change: Partial<Bound>): Bound {
  const [first] = next.projections;
  const subject =
    change.subject ??
    (change.projections === undefined ? undefined : (first?.countOf ?? first?.column?.tableId)) ??
    next.subject;
  // A table that is taken out stays where something is still shown or asked of it.
  if (change.tables !== undefined)
    return { ...next, subject, tables: new Set([...change.tables, subject, ...neededTables(next)]) };
  const needed = new Set([before.subject, ...neededTables(before)]);
  const onlyNamed = [...before.tables].filter((table) => !needed.has(table));
  return { ...next, subject, tables: new Set([subject, ...neededTables(next), ...onlyNamed]) };
}

/** A list with one place taken by others: none leaves it out. */
export function replaceAt<T>(list: readonly T[], place: number, ...others: readonly T[]): T[] {
  return [...list.slice(0, place), ...others, ...list.slice(place + 1)];
}

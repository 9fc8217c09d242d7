import type { Assumption } from '../../../../answer.ts';
import type { Bound } from '../../resolve/bound.ts';
import type { ResolveContext } from '../../resolve/noun-candidates.ts';
import { buildQuery, type Plan } from './build-query.ts';
import { neededTables } from './parts/plan-view.ts';
import type { PlanOptions } from './plan-options.ts';

/** A bound frame as one query, with how likely it is meant so beside the plan that is taken first. */
export interface PlanVariant {
  readonly plan: Plan;
  readonly weight: number;
}

interface Turn {
  readonly weight: number;
  readonly assumption: Assumption;
  readonly options?: Partial<PlanOptions>;
  readonly bound?: (bound: Bound, context: ResolveContext) => Bound | null;
}

/** What the words leave open of the same columns and conditions, likeliest first. */
const TURNS: readonly Turn[] = [
  {
    weight: 0.9,
    assumption: {
      ...{ kind: 'grain', id: 'grain', taken: 'each-match' },
      text: 'A row is shown for each match, so it may repeat.',
    },
    options: { keepsMatches: true },
  },
  {
    weight: 0.8,
    assumption: { kind: 'grain', id: 'grain', taken: 'once', text: 'Equal rows are shown once.' },
    options: { isDistinct: true },
    bound: withoutKey,
  },
  {
    weight: 0.8,
    assumption: {
      ...{ kind: 'grain', id: 'grain', taken: 'repeated' },
      text: 'Equal rows are shown as often as they occur.',
    },
    options: { isDistinct: false, keepsCategories: true },
  },
  {
    weight: 0.7,
    assumption: {
      ...{ kind: 'tie', id: 'tie', taken: 'all', text: 'All rows in first place are shown.' },
      alternatives: [{ choice: 'one', label: 'one of them' }],
    },
    options: { keepsTies: true },
  },
  {
    weight: 0.75,
    assumption: {
      ...{
        kind: 'join',
        id: 'join',
        taken: 'named-only',
        text: 'A table that is only named narrows nothing.',
      },
    },
    bound: withoutNamedOnly,
  },
];

/** The plan of a bound frame and its turns: repeated rows or not, ties or not, tables that are only named or not. */
export function planVariants(bound: Bound, options: PlanOptions, context: ResolveContext): PlanVariant[] {
  const first = buildQuery(bound, options, context);
  if (first === null) return [];
  const others = TURNS.flatMap((turn) => {
    const turned = turn.bound === undefined ? bound : turn.bound(bound, context);
    if (turned === null) return [];
    const plan = buildQuery(turned, { ...options, ...turn.options }, context);
    if (plan === null) return [];
    return [{ plan: { ...plan, assumptions: [...plan.assumptions, turn.assumption] }, weight: turn.weight }];
  });
  return [{ plan: first, weight: 1 }, ...others];
}

function withoutNamedOnly(bound: Bound): Bound | null {
  const tables = new Set([bound.subject, ...neededTables(bound)]);
  return tables.size === bound.tables.size ? null : { ...bound, tables };
}

/** Rows that show their key are never equal. */
function withoutKey(bound: Bound, { graph }: ResolveContext): Bound | null {
  const [key, second] = graph.table(bound.subject).primaryKey;
  const isShown = second === undefined && bound.projections.some((item) => item.column?.id === key);
  return isShown ? null : bound;
}

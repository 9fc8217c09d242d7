import type { Catalog } from '../../../catalog/index.ts';
import { DIALECTS } from '../../../sql/dialects/index.ts';
import { printQuery } from '../../../sql/print/index.ts';
import type { Frame } from '../compose/frame/frame.ts';
import type { Plan } from '../query/plan/build-query.ts';
import { planOptions } from '../query/plan/plan-options.ts';
import { planVariants } from '../query/plan/plan-variants.ts';
import type { Draft } from '../query/revise/kinds/draft.ts';
import { revise } from '../query/revise/revise.ts';
import type { Mention } from '../question/mention/mention.ts';
import type { Token } from '../question/read/tokenise.ts';
import type { Bound } from '../resolve/bound.ts';
import type { ResolveContext } from '../resolve/noun-candidates.ts';
import { type QueryTraits, queryTraits } from './query-traits.ts';

/** A question as the rules left it: what candidates are made from. */
export interface ReadQuestion {
  readonly tokens: readonly Token[];
  readonly mentions: readonly Mention[];
  readonly frame: Frame;
  readonly context: ResolveContext;
  /** Best first. */
  readonly bounds: readonly Bound[];
  readonly catalog: Catalog;
}

/** One query that may be meant. */
export interface Candidate {
  readonly draft: Draft;
  /** The place of the bound frame it comes from. */
  readonly rank: number;
  readonly plan: Plan;
  /** Which turn of the plan, 0 for the first. */
  readonly variant: number;
  /** How likely the plan is beside the first, as the rules say. */
  readonly weight: number;
  readonly sql: string;
  readonly traits: QueryTraits;
}

/** Bound frames whose neighbours are looked at. */
const REVISED = 3;
/** Candidates of one question, at most. */
const MOST = 160;

/** What the rules read and everything that is one change away from it, each query once, in a fixed order. */
export function makeCandidates(question: ReadQuestion): Candidate[] {
  const { frame, context, mentions, bounds } = question;
  const options = planOptions(frame);
  const drafts = bounds.map((bound, rank) => ({ rank, draft: { bound, options, revisions: [] } as Draft }));
  const revised = drafts
    .slice(0, REVISED)
    .flatMap(({ draft, rank }) =>
      revise(draft, { frame, mentions, context }).map((next) => ({ rank, draft: next })),
    );
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  for (const { rank, draft } of [...drafts, ...revised]) {
    if (candidates.length >= MOST) break;
    candidates.push(...plansOf(draft, rank, question, seen));
  }
  return candidates.slice(0, MOST);
}

function plansOf(
  draft: Draft,
  rank: number,
  { context, catalog }: ReadQuestion,
  seen: Set<string>,
): Candidate[] {
  return planVariants(draft.bound, draft.options, context).flatMap(({ plan, weight }, variant) => {
    const { sql } = printQuery(plan.query, DIALECTS[catalog.dialect]);
    if (seen.has(sql)) return [];
    seen.add(sql);
    const traits = queryTraits(sql, catalog);
    return traits === null ? [] : [{ draft, rank, plan, variant, weight, sql, traits }];
  });
}

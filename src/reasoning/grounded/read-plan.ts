import { DIALECTS, printQuery } from '../../sql/index.ts';
import type { Reading } from '../reading.ts';
import type { Frame } from './compose/frame.ts';
import { explainQuery } from './explain/explain-query.ts';
import { queryNames } from './explain/query-names.ts';
import type { GroundedKnowledge } from './knowledge.ts';
import type { Mention } from './mention/mention.ts';
import { mentionNote } from './mention/mention-note.ts';
import type { Plan } from './plan/build-query.ts';
import { withDefaultFilters } from './plan/with-default-filters.ts';
import type { Bound } from './resolve/bound.ts';
import type { ResolveContext } from './resolve/noun-candidates.ts';

/** Where a plan comes from. */
export interface PlanOrigin {
  readonly bound: Bound;
  readonly limit: number | undefined;
  readonly frame: Frame;
  /** Names of what was changed since the rules bound the frame. */
  readonly revisions: readonly string[];
  readonly mentions: readonly Mention[];
  readonly context: ResolveContext;
}

/** A plan as a reading: its SQL, why each part stands there, and how it was understood. */
export function readPlan(
  plan: Pick<Plan, 'query' | 'assumptions'>,
  { frame, revisions, mentions }: PlanOrigin,
  probability: number,
  knowledge: GroundedKnowledge,
): Reading {
  const { query, assumptions } = withDefaultFilters(plan.query, knowledge);
  const { sql, parts } = printQuery(query, DIALECTS[knowledge.catalog.dialect]);
  const unexplained = mentions.filter((mention) => mention.isUnknown && !frame.used.has(mention.index));
  return {
    query,
    sql,
    parts,
    explanation: explainQuery(query, queryNames(knowledge)),
    probability,
    rules: [...frame.rules, ...revisions],
    assumptions: [...plan.assumptions, ...assumptions],
    mentions: mentions.map(mentionNote),
    unexplained: unexplained.map(mentionNote),
    metrics: [],
    dimensions: [],
  };
}

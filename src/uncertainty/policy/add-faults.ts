/** What is certain beside what is likely: an assessment in which every certain fault is shown. */

import type { CertainFault, FaultKind } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import { unitsOf } from '../units/highlight-units.ts';
import type { Assessment, RiskReason, UnitRisk } from '../units/node-risk.ts';
import { SUSPICIOUS_FROM, unitRisks } from '../units/unit-risks.ts';
import { decidingRisk } from './fault-precision.ts';

/** Log-odds of what is certain, which has none: more than any model says. */
const CERTAIN_WEIGHT = 10;

/** Features whose reasons say in other words what a fault says. */
const SAME_AS: Readonly<Record<FaultKind, ReadonlySet<string>>> = {
  'unknown-table': new Set([
    'is_identifier_valid',
    'table_exists',
    'qualifier_in_scope',
    'column_exists_in_resolved_table',
  ]),
  'unknown-column': new Set([
    'is_identifier_valid',
    'column_exists_in_resolved_table',
    'column_exists_in_scope',
  ]),
  'ambiguous-column': new Set(['is_ambiguous_in_scope', 'n_scope_sources_with_column']),
  'type-clash': new Set(['operand_compat', 'literal_matches_column_type']),
  'missing-group-by': new Set(['non_agg_column_without_group_by']),
  'unseen-literal': new Set(['literal_in_sampled_values']),
  'subquery-rows': new Set(),
  'misplaced-call': new Set(),
  'missing-on': new Set(),
  'unquoted-name': new Set(),
  'wrong-join': new Set(['join_matches_fk']),
};

/**
 * What the engine would refuse is wrong, whatever a model says: its node and the whole have a risk of 1. Another fault has the risk
 * that was counted for it, where nine in ten such queries are wrong; else its node and with it the whole are suspicious at least. The
 * fault comes first among the reasons, and a feature that says the same is silent. `threshold` is that of the units shown.
 */
export function addFaults(
  assessment: Assessment,
  faults: readonly CertainFault[],
  query: ReadQuery,
  threshold = SUSPICIOUS_FROM,
): Assessment {
  if (faults.length === 0 || assessment.unreadBecause !== undefined) return assessment;
  const byNode = new Map(faults.map((fault) => [fault.node, fault]));
  const risks = assessment.nodes.map(({ node, probability }) => {
    const fault = byNode.get(node);
    if (fault === undefined) return probability;
    return Math.max(probability, decidingRisk(fault) ?? SUSPICIOUS_FROM);
  });
  const reasonsOf = (node: number): readonly RiskReason[] => {
    const fault = byNode.get(node);
    const known = unitAround(assessment.units, node)?.reasons ?? [];
    if (fault === undefined) return known;
    const certain = { feature: fault.kind, text: fault.text, weight: CERTAIN_WEIGHT };
    return [certain, ...known.filter(({ feature }) => !SAME_AS[fault.kind].has(feature))];
  };
  return {
    ...assessment,
    nodes: assessment.nodes.map((node) => ({ ...node, probability: risks[node.node] ?? node.probability })),
    units: unitRisks(unitsOf(query), risks, { threshold, reasonsOf }),
    queryRisk: Math.max(
      assessment.queryRisk,
      ...faults.map((fault) => decidingRisk(fault) ?? SUSPICIOUS_FROM),
    ),
  };
}

function unitAround(units: readonly UnitRisk[], node: number): UnitRisk | undefined {
  return units.find(({ nodes }) => nodes.includes(node));
}

// What people have defined: no scorer has seen the definitions, so it cannot speak for a query that breaks one.

/**
 * How often such a query is wrong, at the least: `npx tsx bench/broken-definitions.ts` names altered queries and hardly any right one; a
 * part is left for questions that want it otherwise in words that no rule knows.
 */
export const BROKEN_RISK = 0.8;

/** Higher than before in any case, and above one half; each further definition halves what is left of being right. */
export function raiseForDefinitions(assessment: Assessment, broken: readonly string[]): Assessment {
  if (broken.length === 0 || assessment.unreadBecause !== undefined) return assessment;
  const left = (1 - BROKEN_RISK) / 2 ** (broken.length - 1);
  return { ...assessment, queryRisk: 1 - (1 - assessment.queryRisk) * left };
}

/** What is said about a query where no model is at hand: its certain faults, as an assessment. */

import type { CertainFault } from '../../faults/index.ts';
import type { ReadQuery } from '../../faults/reading/index.ts';
import { unitsOf } from '../units/highlight-units.ts';
import type { Assessment, RiskReason } from '../units/node-risk.ts';
import { unitRisks } from '../units/unit-risks.ts';

/** A query with such a fault does not run. */
const REFUSED_RISK = 1;
/** Stands for "likely wrong" where nothing was measured: such a query runs, and now and then it is meant so. */
const DOUBTED_RISK = 0.6;

/**
 * Nodes with a fault get its risk, all others 0. These are no calibrated probabilities: 0 only says that nothing certain
 * is known against a node.
 */
export function assessByFaults(query: ReadQuery, faults: readonly CertainFault[]): Assessment {
  const { nodes, text } = query.tree;
  const byNode = new Map(faults.map((fault) => [fault.node, fault]));
  const risks = nodes.map(({ id }) => riskOf(byNode.get(id)));
  const reasonsOf = (node: number) => reasonsFor(byNode.get(node));
  return {
    sql: text,
    nodes: nodes.map(({ id, type }) => ({
      node: id,
      type,
      probability: risks[id] ?? 0,
      reasons: reasonsOf(id),
    })),
    units: unitRisks(unitsOf(query), risks, { reasonsOf }),
    queryRisk: Math.max(0, ...risks),
  };
}

function riskOf(fault: CertainFault | undefined): number {
  if (fault === undefined) return 0;
  return fault.isRefused ? REFUSED_RISK : DOUBTED_RISK;
}

/** Log-odds of its risk, bounded as a certain one has none. */
function reasonsFor(fault: CertainFault | undefined): readonly RiskReason[] {
  if (fault === undefined) return [];
  const { kind, text, isRefused } = fault;
  return [
    { feature: kind, text, weight: isRefused ? MOST_WEIGHT : Math.log(DOUBTED_RISK / (1 - DOUBTED_RISK)) },
  ];
}

const MOST_WEIGHT = 10;

/** Which units of a query are shown as suspicious, how strongly, and why. */

import type { Unit } from './highlight-units.ts';
import type { RiskReason, UnitRisk } from './node-risk.ts';

/** From here on a unit is shown (amber), and from here on as likely wrong (red); node-uncertainty.md §11. */
export const SUSPICIOUS_FROM = 0.3;
export const LIKELY_WRONG_FROM = 0.6;

export type RiskBand = 'unmarked' | 'suspicious' | 'likely-wrong';

export function riskBand(probability: number, threshold = SUSPICIOUS_FROM): RiskBand {
  if (!(probability >= threshold)) return 'unmarked';
  return probability >= LIKELY_WRONG_FROM ? 'likely-wrong' : 'suspicious';
}

export interface UnitRiskOptions {
  /** Least probability that is shown; `SUSPICIOUS_FROM` unless given. */
  readonly threshold?: number;
  /** Asked for the likeliest wrong node of each unit that is shown. */
  readonly reasonsOf?: (node: number) => readonly RiskReason[];
}

/**
 * The units to show, likeliest wrong first. A unit is as suspicious as the worst of its own nodes. One that holds other
 * units is shown only if it is in a worse band than every unit shown inside it: `a = 1` is not marked because of `a`,
 * yet a condition that is likely wrong is marked around a column that is merely suspicious. So marks of one band never
 * overlap. Probabilities are by node id; a node without one counts as right.
 */
export function unitRisks(
  units: readonly Unit[],
  probabilities: ArrayLike<number>,
  { threshold = SUSPICIOUS_FROM, reasonsOf = () => [] }: UnitRiskOptions = {},
): readonly UnitRisk[] {
  const inside = new Array<number>(units.length).fill(0);
  const shown: { unit: Unit; worst: number }[] = [];
  // Units inside come behind the unit around them, so backwards they come first.
  for (let place = units.length - 1; place >= 0; place -= 1) {
    const unit = units[place]!;
    const worst = worstNode(unit, probabilities);
    const rank = RANKS[riskBand(probabilities[worst] ?? 0, threshold)];
    const most = inside[place]!;
    if (rank > most) shown.push({ unit, worst });
    if (unit.parent !== undefined) inside[unit.parent] = Math.max(inside[unit.parent]!, most, rank);
  }
  return shown
    .map(({ unit: { kind, span, text, nodes }, worst }) => {
      const probability = probabilities[worst] ?? 0;
      return { kind, span, text, probability, nodes, reasons: reasonsOf(worst) };
    })
    .sort((a, b) => b.probability - a.probability || a.span.start - b.span.start || a.span.end - b.span.end);
}

const RANKS: Readonly<Record<RiskBand, number>> = { unmarked: 0, suspicious: 1, 'likely-wrong': 2 };

/** Id of the likeliest wrong node of a unit's own, the first among equals. */
function worstNode({ nodes }: Unit, probabilities: ArrayLike<number>): number {
  let worst = nodes[0] ?? 0;
  for (const node of nodes) if ((probabilities[node] ?? 0) > (probabilities[worst] ?? 0)) worst = node;
  return worst;
}

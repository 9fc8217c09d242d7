/** Which units of a query are shown as suspicious, how strongly, and why. */

import type { Unit } from './highlight-units.ts';
import type { Assessment, RiskReason, UnitRisk } from './node-risk.ts';

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
 * The units to show, likeliest wrong first. A unit is as suspicious as the worst of its own nodes. A clause is never shown: its words
 * say nothing that a person can change, so its doubt goes to the likeliest wrong part in it (`Doubt`). A unit that holds other units is
 * shown only if it is in a worse band than every unit shown inside it: `a = 1` is not marked because of `a`, yet a condition that is
 * likely wrong is marked around a column that is merely suspicious. So marks of one band never overlap. Probabilities are by node id; a
 * node without one counts as right.
 */
export function unitRisks(
  units: readonly Unit[],
  probabilities: ArrayLike<number>,
  { threshold = SUSPICIOUS_FROM, reasonsOf = () => [] }: UnitRiskOptions = {},
): readonly UnitRisk[] {
  const doubts = doubtsOf(units, probabilities);
  const inside = new Array<number>(units.length).fill(0);
  const shown: { readonly unit: Unit; readonly doubt: Doubt }[] = [];
  // Units inside come behind the unit around them, so backwards they come first.
  for (let place = units.length - 1; place >= 0; place -= 1) {
    const unit = units[place]!;
    const doubt = doubts[place];
    const rank = doubt === undefined ? 0 : RANKS[riskBand(doubt.probability, threshold)];
    const most = inside[place]!;
    if (doubt !== undefined && rank > most) shown.push({ unit, doubt });
    if (unit.parent !== undefined) inside[unit.parent] = Math.max(inside[unit.parent]!, most, rank);
  }
  return shown
    .map(({ unit, doubt }) => riskOfUnit(unit, doubt, reasonsOf))
    .sort((a, b) => b.probability - a.probability || a.span.start - b.span.start || a.span.end - b.span.end);
}

/** The likeliest wrong part, however little speaks against it; undefined for a query without parts. */
export function weakestUnit(
  units: readonly Unit[],
  probabilities: ArrayLike<number>,
  reasonsOf: (node: number) => readonly RiskReason[],
): UnitRisk | undefined {
  const doubts = doubtsOf(units, probabilities);
  let worst: { readonly unit: Unit; readonly doubt: Doubt } | undefined;
  for (const [place, unit] of units.entries()) {
    const doubt = doubts[place];
    if (doubt !== undefined && !(doubt.probability <= (worst?.doubt.probability ?? -1)))
      worst = { unit, doubt };
  }
  return worst && riskOfUnit(worst.unit, worst.doubt, reasonsOf);
}

function riskOfUnit(
  { kind, span, text }: Unit,
  { worst, probability, nodes }: Doubt,
  reasonsOf: (node: number) => readonly RiskReason[],
): UnitRisk {
  return { kind, span, text, probability, nodes, reasons: reasonsOf(worst) };
}

/** What speaks against a unit: the likeliest wrong of its nodes, or of a clause that has handed its doubt down. */
interface Doubt {
  readonly worst: number;
  readonly probability: number;
  /** Its own, and those of such clauses. */
  readonly nodes: readonly number[];
}

/** By place; undefined for a clause whose doubt went to a part. */
function doubtsOf(units: readonly Unit[], probabilities: ArrayLike<number>): readonly (Doubt | undefined)[] {
  const own = units.map((unit): Doubt => {
    const worst = worstNode(unit, probabilities);
    return { worst, probability: probabilities[worst] ?? 0, nodes: unit.nodes };
  });
  const heirOf = heirs(units, own);
  const doubts: (Doubt | undefined)[] = [...own];
  for (const [place, { kind }] of units.entries()) {
    const heir = kind === 'clause' ? heirOf(place) : undefined;
    const [given, known] = [own[place], heir === undefined ? undefined : doubts[heir]];
    if (heir === undefined || given === undefined || known === undefined) continue;
    const { worst, probability } = given.probability > known.probability ? given : known;
    doubts[heir] = { worst, probability, nodes: [...known.nodes, ...given.nodes] };
    doubts[place] = undefined;
  }
  return doubts;
}

/**
 * The part that answers for a clause: the likeliest wrong right inside it, else further in, else the first beside it, as for DISTINCT;
 * undefined where the query has no part.
 */
function heirs(units: readonly Unit[], doubts: readonly Doubt[]): (place: number) => number | undefined {
  const worse = (one: number | undefined, other: number | undefined): number | undefined => {
    if (one === undefined || other === undefined) return one ?? other;
    return (doubts[one]?.probability ?? 0) >= (doubts[other]?.probability ?? 0) ? one : other;
  };
  const right: (number | undefined)[] = new Array(units.length);
  const within: (number | undefined)[] = new Array(units.length);
  const first: (number | undefined)[] = new Array(units.length);
  for (let place = units.length - 1; place >= 0; place -= 1) {
    const { kind, parent } = units[place]!;
    if (parent === undefined) continue;
    const part = kind === 'clause' ? undefined : place;
    right[parent] = worse(part, right[parent]);
    within[parent] = worse(worse(part, within[place]), within[parent]);
    first[parent] = part ?? first[parent];
  }
  return (place) => right[place] ?? within[place] ?? first[units[place]?.parent ?? -1];
}

const RANKS: Readonly<Record<RiskBand, number>> = { unmarked: 0, suspicious: 1, 'likely-wrong': 2 };

/** Id of the likeliest wrong node of a unit's own, the first among equals. */
function worstNode({ nodes }: Unit, probabilities: ArrayLike<number>): number {
  let worst = nodes[0] ?? 0;
  for (const node of nodes) if ((probabilities[node] ?? 0) > (probabilities[worst] ?? 0)) worst = node;
  return worst;
}

// What is said last: a part is never likelier wrong than the whole that it is a part of.

/**
 * The assessment with its parts at the risk of the whole at most. Marks that fall below `threshold` are gone, and the first of them is
 * kept as the weakest part.
 */
export function boundParts(assessment: Assessment, threshold = SUSPICIOUS_FROM): Assessment {
  const { queryRisk, nodes, units } = assessment;
  const bounded = <Part extends { readonly probability: number }>(part: Part): Part =>
    part.probability <= queryRisk ? part : { ...part, probability: queryRisk };
  const marks = units.map(bounded);
  const weakest = marks[0] ?? (assessment.weakest && bounded(assessment.weakest));
  const shown = marks.filter(({ probability }) => probability >= threshold);
  return {
    ...assessment,
    nodes: nodes.map(bounded),
    units: shown,
    ...(shown.length === 0 && weakest !== undefined && { weakest }),
  };
}

/** What is shown of a query that is warned of or withheld: its marks, or where to look first although little stands out. */
export function partsToLookAt({ units, weakest }: Assessment): readonly UnitRisk[] {
  return units.length > 0 || weakest === undefined ? units : [weakest];
}

/** How often a query with a certain fault that runs is wrong: what such a fault says of the whole. */
import type { CertainFault, FaultKind } from '../../faults/index.ts';
import type { RiskBasis } from '../calibration/risk-coverage.ts';

export interface Counted {
  readonly wrong: number;
  readonly of: number;
}

/** What is counted: a value in another spelling is surely meant otherwise, one that is not stored may be what was asked for. */
export type CountedFault = FaultKind | 'misspelt-literal';

export function countedAs({ kind, isSpelling }: CertainFault): CountedFault {
  return isSpelling ? 'misspelt-literal' : kind;
}

/**
 * `npx tsx bench/fault-precision.ts`, the part that stood apart while the checks were written: SQL of some fifty systems for three databases
 * of BIRD dev and for the odd questions of Spider dev, judged by rows, 2026-11-28. `test/bench` counts anew.
 */
export const COUNTED_FAULTS: Partial<Record<CountedFault, Counted>> = {
  'misspelt-literal': { wrong: 733, of: 752 },
  'wrong-join': { wrong: 265, of: 282 },
  'missing-group-by': { wrong: 227, of: 264 },
  'unseen-literal': { wrong: 3301, of: 3851 },
  'type-clash': { wrong: 500, of: 588 },
};

/** The same where the engine refuses the query: that alone is enough for a risk of 1. Other kinds do not occur there. */
export const COUNTED_REFUSALS: Partial<Record<FaultKind, Counted>> = {
  'unknown-column': { wrong: 3211, of: 3211 },
  'unknown-table': { wrong: 1832, of: 1832 },
  'ambiguous-column': { wrong: 301, of: 301 },
};

/** A check that is right less often than this decides nothing: it marks a part, and no more. */
export const DECIDES_FROM = 0.9;

/** The count behind the fault that decides, the likeliest wrong first; undefined where none does, or the engine itself refuses. */
export function decidingFault(faults: readonly CertainFault[]): RiskBasis | undefined {
  const counted = faults.flatMap((fault) => {
    const count = fault.isRefused ? undefined : COUNTED_FAULTS[countedAs(fault)];
    return count !== undefined && isDeciding(count) ? [count] : [];
  });
  const [first] = counted.sort((one, other) => other.wrong / other.of - one.wrong / one.of);
  return first && { ...first, measured: first.of };
}

function isDeciding({ wrong, of }: Counted): boolean {
  return wrong / of >= DECIDES_FROM;
}

/** The share of wrong queries with this fault, where that is enough to decide; undefined elsewhere, and where nothing was counted. */
export function decidingRisk(fault: CertainFault): number | undefined {
  if (fault.isRefused) return 1;
  const counted = COUNTED_FAULTS[countedAs(fault)];
  return counted !== undefined && isDeciding(counted) ? counted.wrong / counted.of : undefined;
}

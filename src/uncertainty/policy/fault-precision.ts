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

/** `npx tsx bench/fault-precision.ts`: SQL of some fifty systems for BIRD dev and Spider dev, judged by rows, 2026-11-28. */
const COUNTED_FAULTS: Partial<Record<CountedFault, Counted>> = {
  'misspelt-literal': { wrong: 1408, of: 1448 },
  'wrong-join': { wrong: 583, of: 620 },
  'missing-group-by': { wrong: 474, of: 551 },
  'unseen-literal': { wrong: 6925, of: 8236 },
  'type-clash': { wrong: 1008, of: 1202 },
};

/** A check that is right less often than this decides nothing: it marks a part, and no more. */
const DECIDES_FROM = 0.9;

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

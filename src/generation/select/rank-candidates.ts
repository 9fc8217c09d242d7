import { queryEffort } from './query-effort.ts';
import type { SelectionCandidate, SelectionStep } from './selection-candidate.ts';

/** A sound candidate with the support of its group. */
export interface RankedCandidate {
  readonly at: number;
  readonly candidate: SelectionCandidate;
  readonly support: number;
}

interface RankRule {
  readonly step: SelectionStep;
  /** The greater is better. */
  readonly read: (ranked: RankedCandidate) => number;
}

/** The order of overview.md, section 6; what is not known of a candidate ranks behind what is. */
function rankRules(areAllEmpty: boolean, testsThreshold: number): readonly RankRule[] {
  const efforts = new Map<number, number>();
  const effortOf = ({ at, candidate: { tree } }: RankedCandidate): number => {
    const effort = efforts.get(at) ?? (tree === undefined ? Number.POSITIVE_INFINITY : queryEffort(tree));
    efforts.set(at, effort);
    return effort;
  };
  return [
    { step: 'agreement', read: ({ support }) => support },
    {
      step: 'literals',
      read: ({ candidate: { literalsExist } }) => (areAllEmpty && literalsExist !== false ? 1 : 0),
    },
    {
      step: 'tests',
      read: ({ candidate: { testsPassed } }) =>
        testsPassed === undefined ? -1 : testsPassed + (testsPassed >= testsThreshold ? 1 : 0),
    },
    { step: 'risk', read: ({ candidate: { risk } }) => -(risk ?? 1) },
    { step: 'simplicity', read: (ranked) => -effortOf(ranked) },
    { step: 'index', read: ({ candidate: { index } }) => -index },
  ];
}

export interface Ranking {
  /** Best first. */
  readonly ranked: readonly RankedCandidate[];
  /** The rule that puts one before another. */
  readonly stepBetween: (one: RankedCandidate, other: RankedCandidate) => SelectionStep;
}

export function rankCandidates(
  candidates: readonly RankedCandidate[],
  { areAllEmpty, testsThreshold }: { readonly areAllEmpty: boolean; readonly testsThreshold: number },
): Ranking {
  const rules = rankRules(areAllEmpty, testsThreshold);
  const deciding = (one: RankedCandidate, other: RankedCandidate): RankRule | undefined =>
    rules.find(({ read }) => read(one) !== read(other));
  const ranked = candidates.toSorted((one, other) => {
    const rule = deciding(one, other);
    return rule === undefined ? 0 : rule.read(one) > rule.read(other) ? -1 : 1;
  });
  return { ranked, stepBetween: (one, other) => deciding(one, other)?.step ?? 'index' };
}

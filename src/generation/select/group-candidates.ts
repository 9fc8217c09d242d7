import { groupResults, type ResultPolicy } from '../../results/index.ts';
import { componentOverlap, components } from '../../sql/compare/index.ts';
import { normalKey } from '../../sql/index.ts';
import type { SelectionCandidate } from './selection-candidate.ts';

/** Candidates that say the same, as places in the list that was given. */
export interface CandidateGroup {
  readonly members: readonly number[];
  /** Sum of the voices for it. */
  readonly support: number;
}

export interface VoicedCandidate {
  /** Place in the list that was given. */
  readonly at: number;
  readonly candidate: SelectionCandidate;
  readonly voice: number;
}

/** By equal results; all of them must have been run. */
export function groupByResult(
  voiced: readonly VoicedCandidate[],
  policy: ResultPolicy,
): readonly CandidateGroup[] {
  const results = voiced.flatMap(({ candidate: { outcome } }) =>
    outcome.kind === 'rows' ? [outcome.result] : [],
  );
  return collect(voiced, groupResults(results, policy)).map((members) => ({
    members: members.map(({ at }) => at),
    support: sumOf(members.map(({ voice }) => voice)),
  }));
}

/**
 * By equal normal forms, where nothing may be run. A voice counts for every group by how alike the trees are (S_ast of
 * BAR-SQL), so that queries that differ a little stand together against one that differs much.
 */
export function groupByTree(voiced: readonly VoicedCandidate[]): readonly CandidateGroup[] {
  const numbers = new Map<string, number>();
  const groups = collect(
    voiced,
    voiced.map(({ candidate: { tree } }) => {
      const key = tree === undefined ? '' : normalKey(tree);
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key) ?? 0;
    }),
  );
  const partsOf = groups.map(([first]) =>
    first?.candidate.tree === undefined ? undefined : components(first.candidate.tree),
  );
  const likeness = (one: number, other: number): number => {
    const [left, right] = [partsOf[one], partsOf[other]];
    if (one === other) return 1;
    return left === undefined || right === undefined ? 0 : componentOverlap(left, right);
  };
  return groups.map((members, own) => ({
    members: members.map(({ at }) => at),
    support: sumOf(
      groups.flatMap((others, other) => others.map(({ voice }) => voice * likeness(own, other))),
    ),
  }));
}

function collect(
  voiced: readonly VoicedCandidate[],
  numbers: readonly number[],
): readonly (readonly VoicedCandidate[])[] {
  const groups: VoicedCandidate[][] = [];
  for (const [place, one] of voiced.entries()) {
    const number = numbers[place] ?? 0;
    const members = groups[number] ?? [];
    groups[number] = members;
    members.push(one);
  }
  return groups;
}

/** In the order of their sizes, so that the sum does not depend on who came first; what rounding leaves is cut. */
function sumOf(voices: readonly number[]): number {
  const sum = voices.toSorted((a, b) => a - b).reduce((total, voice) => total + voice, 0);
  return Math.round(sum * 1e9) / 1e9;
}

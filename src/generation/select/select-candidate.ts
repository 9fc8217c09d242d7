/** Which of several candidates is the answer (overview.md, section 6). */
import type { ResultPolicy } from '../../results/index.ts';
import { type CandidateGroup, groupByResult, groupByTree, type VoicedCandidate } from './group-candidates.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';
import { type LeftOut, renderSelection } from './render-selection.ts';
import type {
  Selection,
  SelectionCandidate,
  SelectionGroup,
  SelectionOptions,
  SelectionStep,
} from './selection-candidate.ts';
import { isEmptyResult, weighCandidate } from './weigh-candidate.ts';

const RESULT_POLICY: ResultPolicy = { columns: 'any', rows: 'bag', tolerance: 1e-3, textEqualsNumber: true };
/** Both were fixed on questions set aside for it, before the others were looked at: docs/decisions/0022-choosing.md. */
const EMPTY_WEIGHT = 0.1;
const DOUBT_WEIGHT = 0.25;
const TESTS_THRESHOLD = 0.9;

/**
 * Drops what fails the checks or did not run, lets the others vote by equal results (by like trees where nothing was
 * run), and breaks ties by literals, tests, risk, simplicity and index. The order of the list changes nothing. Chooses
 * none where no candidate is sound.
 */
export function selectCandidate(
  candidates: readonly SelectionCandidate[],
  options: SelectionOptions = {},
): Selection {
  const { sound, leftOut } = sift(candidates);
  if (sound.length === 0)
    return {
      chosen: undefined,
      groups: [],
      decidedBy: undefined,
      reasons: renderSelection({ candidates, leftOut, groups: [], areAllEmpty: false }),
    };
  const isRun = sound.some(({ candidate }) => candidate.outcome.kind === 'rows');
  const areAllEmpty = isRun && sound.every(({ candidate }) => isEmptyResult(candidate));
  const { emptyWeight = EMPTY_WEIGHT, doubtWeight = DOUBT_WEIGHT } = options;
  const voiced = sound.map(({ at, candidate }) => ({
    at,
    candidate,
    voice: weighCandidate(candidate, { emptyWeight, doubtWeight }, areAllEmpty),
  }));
  const groups = isRun
    ? groupByResult(voiced, { ...RESULT_POLICY, ...options.results })
    : groupByTree(voiced);
  const { testsThreshold = TESTS_THRESHOLD } = options;
  const settled = settle(voiced, groups, { areAllEmpty, testsThreshold });
  return { ...settled, reasons: renderSelection({ candidates, leftOut, ...settled, areAllEmpty }) };
}

type Placed = Pick<VoicedCandidate, 'at' | 'candidate'>;

/** Errors never vote; beside candidates that ran, one that did not has nothing to show. */
function sift(candidates: readonly SelectionCandidate[]): {
  readonly sound: readonly Placed[];
  readonly leftOut: readonly LeftOut[];
} {
  const placed = candidates.map((candidate, at) => ({ at, candidate }));
  const isAnyRun = candidates.some(
    ({ outcome, problems }) => problems.length === 0 && outcome.kind === 'rows',
  );
  const because = ({ problems, outcome, tree }: SelectionCandidate): string | undefined => {
    if (problems.length > 0) return problems.join('; ');
    if (outcome.kind === 'failed') return outcome.message;
    if (outcome.kind === 'rows') return undefined;
    if (isAnyRun) return 'it was not run';
    return tree === undefined ? 'it could not be read' : undefined;
  };
  return {
    sound: placed.filter(({ candidate }) => because(candidate) === undefined),
    leftOut: placed.flatMap(({ at, candidate }) => {
      const reason = because(candidate);
      return reason === undefined ? [] : [{ at, reason }];
    }),
  };
}

function settle(
  voiced: readonly VoicedCandidate[],
  groups: readonly CandidateGroup[],
  rules: { readonly areAllEmpty: boolean; readonly testsThreshold: number },
): {
  readonly chosen: number | undefined;
  readonly groups: readonly SelectionGroup[];
  readonly decidedBy: SelectionStep | undefined;
} {
  const groupAt = new Map(groups.flatMap((group) => group.members.map((at) => [at, group] as const)));
  const { ranked, stepBetween } = rankCandidates(
    voiced.map(({ at, candidate }) => ({ at, candidate, support: groupAt.get(at)?.support ?? 0 })),
    rules,
  );
  const total = groups.reduce((sum, { support }) => sum + support, 0);
  const inOrder = [...new Set(ranked.flatMap(({ at }) => groupAt.get(at) ?? []))];
  const [first] = ranked;
  const rival = ranked.find(({ at }) => groupAt.get(at) !== inOrder[0]);
  return {
    chosen: first?.at,
    groups: inOrder.map((group) => {
      const members = ranked.filter(({ at }) => groupAt.get(at) === group);
      return { ...shown(members), support: group.support, share: group.support / total };
    }),
    decidedBy: first && (rival ? stepBetween(first, rival) : ranked.length === 1 ? 'alone' : 'agreement'),
  };
}

function shown(members: readonly RankedCandidate[]): Pick<SelectionGroup, 'members' | 'rows'> {
  const outcome = members[0]?.candidate.outcome;
  return {
    members: members.map(({ at }) => at),
    ...(outcome?.kind === 'rows' && { rows: outcome.result.rows.length }),
  };
}

/** Which of several candidates is the answer (overview.md, section 6). */
import { type ComparedResult, groupResults, type ResultPolicy } from '../../results/index.ts';
import { significantTokens } from '../../sql/dialects/index.ts';
import type { SqlNode, SqlTree } from '../../sql/tree/index.ts';
import { type CandidateGroup, groupByResult, groupByTree, type VoicedCandidate } from './group-candidates.ts';
import { type LeftOut, renderSelection } from './render-selection.ts';
import type {
  Selection,
  SelectionCandidate,
  SelectionGroup,
  SelectionOptions,
  SelectionStep,
} from './selection-candidate.ts';

const RESULT_POLICY: ResultPolicy = { columns: 'any', rows: 'bag', tolerance: 1e-3, textEqualsNumber: true };
/** Whether two results are one voice. */
export function areSameRows(left: ComparedResult, right: ComparedResult): boolean {
  return new Set(groupResults([left, right], RESULT_POLICY)).size === 1;
}

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

type VoiceWeights = Required<Pick<SelectionOptions, 'emptyWeight' | 'doubtWeight'>>;

/** Whether a result says nothing: no rows, or NULLs alone. */
function isEmptyResult({ outcome }: SelectionCandidate): boolean {
  return outcome.kind === 'rows' && outcome.result.rows.every((row) => row.every((cell) => cell === null));
}

/** How much the voice of a sound candidate counts. Emptiness costs only beside candidates that show something. */
function weighCandidate(
  candidate: SelectionCandidate,
  { emptyWeight, doubtWeight }: VoiceWeights,
  areAllEmpty: boolean,
): number {
  const { weight = 1, doubts = [] } = candidate;
  const forEmpty = !areAllEmpty && isEmptyResult(candidate) ? emptyWeight : 1;
  return weight * forEmpty * (doubts.length > 0 ? doubtWeight : 1);
}

/** A sound candidate with the support of its group. */
interface RankedCandidate {
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

interface Ranking {
  /** Best first. */
  readonly ranked: readonly RankedCandidate[];
  /** The rule that puts one before another. */
  readonly stepBetween: (one: RankedCandidate, other: RankedCandidate) => SelectionStep;
}

function rankCandidates(
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

/** ThothAI's weights (thoth.md, section 12). */
const WEIGHTS = {
  tokens: 1,
  joins: 5,
  subqueries: 10,
  where: 3,
  group: 4,
  order: 2,
  having: 6,
  functions: 2,
  tables: 2,
  nesting: 8,
} as const;

type Part = keyof typeof WEIGHTS;

/**
 * How much there is in a query, without unit: of two that give the same rows the lesser is taken. `nesting` is the depth of
 * the deepest subquery, all else are counts. Source: thoth.md, section 12, over our own tree.
 */
export function queryEffort(tree: SqlTree): number {
  const parts: Record<Part, number> = {
    ...{ tokens: significantTokens(tree.tokens).length, joins: 0, subqueries: 0, where: 0, group: 0 },
    ...{ order: 0, having: 0, functions: 0, tables: 0, nesting: 0 },
  };
  const depths: number[] = [];
  for (const node of tree.nodes) {
    const part = partOf(node);
    if (part !== undefined) parts[part] += 1;
    // Nodes come in preorder, so the parent has its depth already.
    const above = node.parent === undefined ? 0 : (depths[node.parent.id] ?? 0);
    const depth = above + (part === 'subqueries' ? 1 : 0);
    depths[node.id] = depth;
    parts.nesting = Math.max(parts.nesting, depth);
  }
  return Object.entries(WEIGHTS).reduce((sum, [part, weight]) => sum + weight * parts[part as Part], 0);
}

const BY_TYPE: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['Join', 'joins'],
  ['Where', 'where'],
  ['Group', 'group'],
  ['Order', 'order'],
  ['Having', 'having'],
  ['Table', 'tables'],
  ['Case', 'functions'],
  ['Cast', 'functions'],
  ['TryCast', 'functions'],
  ['Extract', 'functions'],
]);

const BRANCHES: ReadonlySet<string> = new Set(['Union', 'Intersect', 'Except']);

function partOf(node: SqlNode): Part | undefined {
  if (node.type === 'Select') return isBelow(node) ? 'subqueries' : undefined;
  return BY_TYPE.get(node.type) ?? (node.flags.call === undefined ? undefined : 'functions');
}

/** Neither the whole query nor a branch of it. */
function isBelow(select: SqlNode): boolean {
  let above = select.parent;
  while (above !== undefined && BRANCHES.has(above.type)) above = above.parent;
  return above !== undefined;
}

/**
 * EviLink (arXiv 2605.29670): which tables and fields a SQL writer may see, chosen by the votes of several hypotheses
 * and a refinement that looks at more evidence for what they disagree on. No model is called here: the reasoner does.
 */
import { CandorError } from '../../errors.ts';
import type { LedgerEntry } from '../../model/index.ts';
import type {
  JointReasoner,
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  RefineCall,
  RefineResult,
  RefineView,
} from '../../reasoning/roles/link-reasoner.ts';
import type { LinkedItem } from '../schema/linked-schema.ts';
import { groundPaths, type PathContext } from './ground-paths.ts';
import { type GroundedTogether, groundTogether } from './ground-together.ts';
import { checkEvilinkSettings, EVILINK_DEFAULTS, type EvilinkSettings } from './items/evilink-settings.ts';
import type { EvilinkSources } from './items/evilink-sources.ts';
import { type AlikeGroups, groupAlike } from './items/group-similar-tables.ts';
import { indexItems } from './items/link-items.ts';
import { passedOver, throwIfStopped } from './items/recoverable-errors.ts';
import { resolveNames } from './items/resolve-names.ts';
import { viewScope } from './items/schema-scope.ts';
import { type NormalisedHypotheses, normaliseHypotheses } from './normalise-hypotheses.ts';
import { fitSkeleton, similarTables } from './overview/fit-skeleton.ts';
import { type LinkState, startState } from './state/link-state.ts';
import { checkInvariants, linkedItems, tablesWithoutFields } from './state/linked-items.ts';
import { uncertainItems } from './state/uncertain-items.ts';
import { bucketVotes, countVotes, type Votes } from './state/votes.ts';
import { votesKey } from './tools/decide-items.ts';
import { runTool } from './tools/run-tool.ts';
import type { ToolContext } from './tools/tool-context.ts';

export interface EvilinkResult {
  /** S = R ∪ K ∪ U in the order of the catalog, each table before its fields. */
  readonly items: readonly LinkedItem[];
  readonly discarded: readonly LinkedItem[];
  /** Tables of `items` without a field in it: the writer sees their key fields only. */
  readonly keyFieldsOnly: readonly string[];
  /** Those whose paths ran, failed ones too. */
  readonly hypotheses: readonly LinkHypothesis[];
  readonly turns: readonly (readonly RefineResult[])[];
  /** Fields whose statistics refinement looked at. */
  readonly statisticsSeen: readonly string[];
  readonly leftOut: readonly string[];
  /** Dropped hypotheses and paths, unknown names, what was gone on without. */
  readonly warnings: readonly string[];
  /** What this linking added to the ledger of the question. */
  readonly calls: readonly LedgerEntry[];
}

/**
 * Links one question. Throws `linking.invalid-settings`, `database.empty-schema` for a catalog without tables,
 * `linking.no-path` when every path fails, `linking.cancelled` between two calls after the signal was given.
 */
export async function evilink(
  question: LinkQuestion,
  reasoner: LinkReasoner,
  sources: EvilinkSources,
  settings: EvilinkSettings = EVILINK_DEFAULTS,
): Promise<EvilinkResult> {
  checkEvilinkSettings(settings);
  throwIfStopped(question.signal);
  const { tables } = sources;
  if (tables.catalog.tables.length === 0)
    throw new CandorError('database.empty-schema', `${tables.catalog.database} has no table to link`);
  const callsBefore = question.ledger.entries.length;
  const items = indexItems(tables);
  const scope = viewScope(sources, items, settings.preCut);
  const names = resolveNames(tables, items);
  const context: PathContext = { question, reasoner, sources, settings, items, names, scope };

  const { hypotheses, paths, ...grounded } = canReadTogether(reasoner, settings)
    ? await groundTogether(context, reasoner)
    : await groundOneByOne(context);
  const votes = countVotes(paths);
  const used = { probes: 0, statistics: new Set<string>() };
  const refined = await settle(votes, hypotheses, { ...context, used });

  const broken = checkInvariants(refined.state);
  if (broken.length > 0) throw new CandorError('internal.bug', `schema linking: ${broken.join('; ')}`);
  return {
    ...linkedItems(refined.state, { sources, items, votes }),
    keyFieldsOnly: items.inOrder(tablesWithoutFields(refined.state)),
    hypotheses,
    turns: refined.turns,
    statisticsSeen: items.inOrder(used.statistics),
    leftOut: [...scope.leftOut, ...grounded.leftOut],
    warnings: [...grounded.warnings, ...refined.warnings],
    calls: question.ledger.entries.slice(callsBefore),
  };
}

function canReadTogether(reasoner: LinkReasoner, settings: EvilinkSettings): reasoner is JointReasoner {
  return settings.sharedTokens > 0 && reasoner.readTogether !== undefined;
}

/** Hypotheses first, then each linked by calls of its own, as published. */
async function groundOneByOne(context: PathContext): Promise<GroundedTogether> {
  const { hypotheses, warnings, leftOut } = await elicit(context);
  const grounded = await groundPaths(hypotheses, context);
  return { ...grounded, hypotheses, leftOut, warnings: [...warnings, ...grounded.warnings] };
}

/** A reasoner that fails here may still choose tables: the question alone is then the hypothesis. */
async function elicit({
  question,
  reasoner,
  sources,
  settings,
  scope,
}: PathContext): Promise<NormalisedHypotheses & { readonly leftOut: readonly string[] }> {
  const { tables, leftOut } = fitSkeleton(scope.tables, settings.chunkCharacters);
  const rules = { most: settings.kmax, mergeDuplicates: settings.mergeDuplicates, question: question.text };
  const failures: string[] = [];
  let written: readonly LinkHypothesis[] = [];
  try {
    written = await reasoner.hypothesise(question, { level: 'L0', tables }, settings.kmax);
  } catch (error) {
    failures.push(`no hypotheses, ${passedOver(error, question.signal)}`);
  }
  sources.onProgress?.({ stage: 'hypotheses', done: 1, total: 1 });
  const { hypotheses, warnings } = normaliseHypotheses(written, rules);
  return { hypotheses, warnings: [...failures, ...warnings], leftOut };
}

/** Buckets, then the turns; when no path chose anything, the likeliest tables with all their fields, undecided. */
async function settle(
  votes: Votes,
  hypotheses: readonly LinkHypothesis[],
  context: PathContext & Pick<ToolContext, 'used'>,
): Promise<Refined> {
  const { question, reasoner, sources, settings, items, scope } = context;
  if (votes.of.size === 0) {
    const { tables, how } = similarTables({ question: question.text, hypotheses }, sources, context);
    const uncertain = new Set(
      tables.flatMap((id) => [id, ...(items.table(id)?.columns.map((column) => column.id) ?? [])]),
    );
    return {
      state: startState(items, { required: new Set(), uncertain }),
      turns: [],
      warnings: [`no hypothesis chose a table: ${tables.length} found ${how}`],
    };
  }
  // Who told all readings at once and had one has weighed every column of it: asked again, a model keeps them all.
  if (votes.paths === 1 && canReadTogether(reasoner, settings)) {
    const chosen = bucketVotes(votes, 0, items.tableOf);
    return { state: startState(items, chosen), turns: [], warnings: [] };
  }
  const start = startState(items, bucketVotes(votes, settings.tau, items.tableOf), settings.allowUndo);
  if (!settings.useRefinement) return { state: start, turns: [], warnings: [] };
  const voted = [...votes.of.keys()].map((id) => items.tableOf(id) ?? id);
  const near = new Set([...voted, ...scope.tables.map(({ table }) => table.id)]);
  const tools: ToolContext = { ...context, votes, near, signal: question.signal };
  const refined = await refine(start, { question, reasoner, hypotheses }, tools);
  return { ...refined, warnings: [...refined.warnings, ...emptyWarning(refined.state)] };
}

function emptyWarning({ required, uncertain, kept }: LinkState): readonly string[] {
  const isEmpty = required.size + uncertain.size + kept.size === 0;
  return isEmpty ? ['refinement put everything aside: no table is left'] : [];
}

// The turns of refinement (EviLink, section 3.5; evilink.md §7): what is not decided when they end is kept.

/** Calls of one turn that are run; a reply with more of them is answered, not obeyed. */
const MOST_CALLS = 64;

interface Refined {
  readonly state: LinkState;
  /** The transcript: every call with what it answered. */
  readonly turns: readonly (readonly RefineResult[])[];
  readonly warnings: readonly string[];
}

/** Ends when nothing is uncertain, the reasoner calls no tool, its call fails, or the turns are used. */
async function refine(
  start: LinkState,
  asked: {
    readonly question: LinkQuestion;
    readonly reasoner: LinkReasoner;
    readonly hypotheses: readonly LinkHypothesis[];
  },
  context: ToolContext,
): Promise<Refined> {
  const { question, reasoner, hypotheses } = asked;
  const total = context.settings.turns;
  const turns: (readonly RefineResult[])[] = [];
  let state = start;
  for (let turn = 1; turn <= total && state.uncertain.size > 0; turn += 1) {
    throwIfStopped(question.signal);
    const buckets = await viewOf(state, context);
    const view = { ...buckets, turn, turnsLeft: total - turn, hypotheses, turns: [...turns] };
    let calls: readonly RefineCall[];
    try {
      calls = await reasoner.refine(question, view);
    } catch (error) {
      const because = passedOver(error, question.signal);
      return { state, turns, warnings: [`refinement ended in turn ${turn}, ${because}`] };
    }
    if (calls.length === 0) break;
    const results: RefineResult[] = [];
    for (const [index, call] of calls.entries()) {
      throwIfStopped(question.signal);
      const outcome = index < MOST_CALLS ? await runTool(call, state, context) : tooMany(state);
      state = outcome.state;
      results.push({ call, text: outcome.text });
    }
    turns.push(results);
    context.sources.onProgress?.({ stage: 'refinement', done: turn, total });
  }
  return { state, turns, warnings: [] };
}

function tooMany(state: LinkState): { readonly state: LinkState; readonly text: string } {
  return { state, text: `error: only ${MOST_CALLS} calls of a turn are run` };
}

/** Tables of a family that paths chose alike stand there once, required and uncertain ones. */
async function viewOf(
  state: LinkState,
  context: ToolContext,
): Promise<Pick<RefineView, 'required' | 'uncertain'>> {
  const { items, sources, votes } = context;
  const keyOf = (id: string): string => votesKey(votes.of.get(id));
  const group = (ids: ReadonlySet<string>): AlikeGroups =>
    groupAlike(items.inOrder(ids), keyOf, { tables: sources.tables, items });
  return {
    required: [...group(state.required).keys()],
    uncertain: await uncertainItems(group(state.uncertain), context),
  };
}

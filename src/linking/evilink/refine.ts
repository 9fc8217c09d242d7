/** The turns of refinement (EviLink, section 3.5; evilink.md §7): what is not decided when they end is kept. */
import type {
  LinkHypothesis,
  LinkQuestion,
  LinkReasoner,
  RefineCall,
  RefineResult,
  RefineView,
} from '../../reasoning/index.ts';
import { type AlikeGroups, groupAlike } from './items/group-similar-tables.ts';
import { passedOver, throwIfStopped } from './items/recoverable-errors.ts';
import type { LinkState } from './state/link-state.ts';
import { uncertainItems } from './state/uncertain-items.ts';
import { votesKey } from './tools/decide-items.ts';
import { runTool } from './tools/run-tool.ts';
import type { ToolContext } from './tools/tool-context.ts';

/** Calls of one turn that are run; a reply with more of them is answered, not obeyed. */
const MOST_CALLS = 64;

export interface Refined {
  readonly state: LinkState;
  /** The transcript: every call with what it answered. */
  readonly turns: readonly (readonly RefineResult[])[];
  readonly warnings: readonly string[];
}

/** Ends when nothing is uncertain, the reasoner calls no tool, its call fails, or the turns are used. */
export async function refine(
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

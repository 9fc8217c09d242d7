/** `keep` and `discard`: names to items, each decided on its own. */

import { groupAlike } from '../items/group-similar-tables.ts';
import { oneLine } from '../items/one-line.ts';
import { bucketOf, type Decision, decide, type LinkState, type Outcome } from '../state/link-state.ts';
import type { ToolArguments } from './tool-arguments.ts';
import type { ToolContext, ToolOutcome } from './tool-context.ts';

export function keepItems(
  { items, reason = '' }: ToolArguments<'keep'>,
  state: LinkState,
  context: ToolContext,
): ToolOutcome {
  return decideAll(
    items.map((item) => ({ kind: 'keep', id: item, reason })),
    state,
    context,
  );
}

export function discardItems(
  { items, reason }: ToolArguments<'discard'>,
  state: LinkState,
  context: ToolContext,
): ToolOutcome {
  return decideAll(
    items.map((item, index) => ({
      kind: 'discard',
      id: item,
      reason: (typeof reason === 'string' ? reason : reason[index]) ?? '',
    })),
    state,
    context,
  );
}

/** `id` is what the reasoner wrote. */
function decideAll(written: readonly Decision[], before: LinkState, context: ToolContext): ToolOutcome {
  const standsFor = spread(before, context);
  const groups = written.map((decision) => {
    const id = context.names.item(decision.id, context.near)?.id ?? decision.id;
    return standsFor(id).map((each) => ({ ...decision, id: each }));
  });
  // At once: each call of `decide` copies the sets.
  const { state, outcomes } = decide(before, groups.flat());
  let from = 0;
  const lines = groups.flatMap(({ length }) => {
    from += length;
    return linesOf(outcomes.slice(from - length, from));
  });
  return { state, text: lines.join('\n') };
}

/** A shown item decides for those it stands for: alike in U, or the members of a family that nobody chose yet. */
function spread(state: LinkState, context: ToolContext): (id: string) => readonly string[] {
  const { sources, items, votes, scope } = context;
  const keyOf = (id: string): string => votesKey(votes.of.get(id));
  const undecided = groupAlike(items.inOrder(state.uncertain), keyOf, { tables: sources.tables, items });
  return (id) => {
    const alike = undecided.get(id);
    if (alike !== undefined) return alike;
    if (bucketOf(state, id) !== 'candidate') return [id];
    const column = items.column(id);
    const members = scope.membersOf(column?.tableId ?? id).flatMap((member) => items.table(member) ?? []);
    const ids = members.flatMap((table) =>
      column === undefined ? table.id : (items.columnNamed(table, column.name)?.id ?? []),
    );
    return ids.length === 0 ? [id] : [id, ...ids.filter((each) => each !== id)];
  };
}

/** Equal for items that the same paths chose. */
export function votesKey(votes: readonly { readonly hypothesis: string }[] | undefined): string {
  return (votes ?? []).map(({ hypothesis }) => hypothesis).join('\n');
}

/** One line an outcome; equal ones of a family are one. */
function linesOf(outcomes: readonly Outcome[]): readonly string[] {
  const [first] = outcomes;
  if (first === undefined) return [];
  const isAlike = outcomes.every((each) => meaningOf(each) === meaningOf(first));
  if (outcomes.length === 1 || !isAlike) return outcomes.map(lineOf);
  return [`${lineOf(first)} (and ${outcomes.length - 1} alike)`];
}

function meaningOf(outcome: Outcome): string {
  return outcome.kind === 'refused' ? outcome.refusal : outcome.kind;
}

function lineOf(outcome: Outcome): string {
  const shown = oneLine(outcome.id, 200);
  if (outcome.kind === 'refused') return `refused ${shown}: ${outcome.text}`;
  return `${outcome.kind} ${shown}${outcome.also.length === 0 ? '' : `, with ${outcome.also.join(', ')}`}`;
}

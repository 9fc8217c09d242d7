/** R, U, C, K and D of EviLink and the three updates there are (evilink.md §7); pure, each update gives a new state. */
import { unreachable } from '../../../errors.ts';
import type { LinkItems } from '../items/link-items.ts';
import type { Buckets } from './votes.ts';

/** Every known item is in exactly one set; those in none of the four are the candidates C, which are never listed. */
export interface LinkState {
  readonly items: Pick<LinkItems, 'has' | 'tableOf' | 'fieldsOf'>;
  readonly allowUndo: boolean;
  /** R: locked. */
  readonly required: ReadonlySet<string>;
  /** U: to be worked through. */
  readonly uncertain: ReadonlySet<string>;
  /** K, with the reasons given; the empty text where none was. */
  readonly kept: ReadonlyMap<string, string>;
  /** D, with the reasons given. */
  readonly discarded: ReadonlyMap<string, string>;
}

export type StateBucket = 'required' | 'uncertain' | 'candidate' | 'kept' | 'discarded';

export interface Decision {
  readonly kind: 'keep' | 'discard';
  /** Canonical id. */
  readonly id: string;
  /** May be empty for `keep`. */
  readonly reason: string;
}

export type Refusal =
  | ReasonFault
  | 'unknown-item'
  | 'required'
  | 'already-kept'
  | 'already-discarded'
  | 'discarded'
  | 'table-discarded'
  | 'kept'
  | 'candidate'
  | 'settled-fields';

export type Outcome =
  /** `also` moved with it: the table of a kept field, the undecided fields of a discarded table. */
  | { readonly kind: 'kept' | 'discarded'; readonly id: string; readonly also: readonly string[] }
  | { readonly kind: 'refused'; readonly id: string; readonly refusal: Refusal; readonly text: string };

const PARENT_DISCARDED = 'parent discarded';

export function startState(
  items: LinkState['items'],
  { required, uncertain }: Buckets,
  allowUndo = false,
): LinkState {
  return { items, allowUndo, required, uncertain, kept: new Map(), discarded: new Map() };
}

/** Undefined for what is no item. */
export function bucketOf(state: LinkState, id: string): StateBucket | undefined {
  if (state.required.has(id)) return 'required';
  if (state.uncertain.has(id)) return 'uncertain';
  if (state.kept.has(id)) return 'kept';
  if (state.discarded.has(id)) return 'discarded';
  return state.items.has(id) ? 'candidate' : undefined;
}

/** Applies decisions in order, each whole or not at all. When all are refused the state is the same object. */
export function decide(
  state: LinkState,
  decisions: readonly Decision[],
): { readonly state: LinkState; readonly outcomes: readonly Outcome[] } {
  const draft: Draft = {
    ...state,
    uncertain: new Set(state.uncertain),
    kept: new Map(state.kept),
    discarded: new Map(state.discarded),
  };
  const outcomes = decisions.map((decision): Outcome => {
    const refusal = refusalOf(draft, decision);
    if (refusal !== undefined)
      return { kind: 'refused', id: decision.id, refusal, text: textOfRefusal(refusal, decision, draft) };
    return decision.kind === 'keep' ? keep(draft, decision) : discard(draft, decision);
  });
  return { state: outcomes.every(({ kind }) => kind === 'refused') ? state : draft, outcomes };
}

/** Of one call of `decide`: nobody else sees it before it is done. */
type Draft = Omit<LinkState, 'uncertain' | 'kept' | 'discarded'> & {
  readonly uncertain: Set<string>;
  readonly kept: Map<string, string>;
  readonly discarded: Map<string, string>;
};

function refusalOf(state: LinkState, { kind, id, reason }: Decision): Refusal | undefined {
  const bucket = bucketOf(state, id);
  if (bucket === undefined) return 'unknown-item';
  if (bucket === 'required') return 'required';
  if (kind === 'keep') {
    if (bucket === 'kept') return 'already-kept';
    if (bucket === 'discarded' && !state.allowUndo) return 'discarded';
    const table = state.items.tableOf(id);
    return table !== undefined && state.discarded.has(table) && !state.allowUndo
      ? 'table-discarded'
      : undefined;
  }
  if (bucket === 'kept' || bucket === 'candidate') return bucket;
  if (bucket === 'discarded') return 'already-discarded';
  return reasonFault(reason, id) ?? (fixedFieldOf(state, id) === undefined ? undefined : 'settled-fields');
}

function fixedFieldOf({ items, required, kept }: LinkState, table: string): string | undefined {
  return items.fieldsOf(table).find((id) => required.has(id) || kept.has(id));
}

/** From U, or back from C; the table of a field is settled with it. */
function keep(draft: Draft, { id, reason }: Decision): Outcome {
  const table = draft.items.tableOf(id);
  const also = table === undefined || draft.required.has(table) || draft.kept.has(table) ? [] : [table];
  for (const each of [id, ...also]) {
    draft.uncertain.delete(each);
    draft.discarded.delete(each);
    draft.kept.set(each, reason);
  }
  return { kind: 'kept', id, also };
}

/** With a table go its undecided fields. */
function discard(draft: Draft, { id, reason }: Decision): Outcome {
  const also = draft.items.fieldsOf(id).filter((each) => draft.uncertain.has(each));
  for (const each of [id, ...also]) {
    draft.uncertain.delete(each);
    draft.discarded.set(each, each === id ? reason : PARENT_DISCARDED);
  }
  return { kind: 'discarded', id, also };
}

function textOfRefusal(refusal: Refusal, { id }: Decision, state: LinkState): string {
  switch (refusal) {
    case 'unknown-item':
      return 'there is no such table or column';
    case 'required':
      return 'it is required and cannot be touched';
    case 'already-kept':
      return 'it is kept already';
    case 'already-discarded':
      return 'it is discarded already';
    case 'discarded':
      return 'it was discarded, which is final';
    case 'table-discarded':
      return 'its table was discarded, which is final';
    case 'kept':
      return 'it was kept, which is final';
    case 'candidate':
      return 'no hypothesis chose it, so there is nothing to discard';
    case 'settled-fields':
      return `its column ${fixedFieldOf(state, id)} is required or kept`;
    case 'no-reason':
      return 'a reason is needed: what it means and why no reading of the question needs it';
    case 'short-reason':
      return `the reason has fewer than ${SHORTEST_REASON} characters: say what it means and why no reading needs it`;
    case 'support-reason':
      return 'low support is no reason: say what it means and why no reading of the question needs it';
    default:
      return unreachable(refusal);
  }
}

/** Whether a reason to discard says something of the item: discarding is harder than keeping on purpose (evilink.md §8). */
const SHORTEST_REASON = 12;

/** Words that only tell how few paths chose an item, and words that hold a sentence together. */
const EMPTY_WORDS = new Set(
  [
    'low weak little small few fewer fewest less least lowest minimal insufficient limited poor lacking lack lacks lacked',
    'support supported supports supporting vote votes voted voting credibility credible score scores scored confidence',
    'probability percent threshold tau agreement consensus evidence rank ranked ranking count counts',
    'hypothesis hypotheses path paths reading readings run runs one two three four none single once out of only just',
    'chosen choose chose chooses picked pick selected select selects selection mentioned uncertain undecided candidate',
    'required needed need needs useful relevant irrelevant unnecessary unneeded discard discarded drop dropped remove',
    'removed item items table tables column columns field fields schema question the a an it its this that these those',
    'is are was were be been has have had not no nor and or but so as by in on at to for from with without than too very',
    'because since due all any other others does do did should can could would will there here enough',
  ].flatMap((line) => line.split(' ')),
);

type ReasonFault = 'no-reason' | 'short-reason' | 'support-reason';

/** What is wrong with a reason: missing, shorter than 12 characters, or a restatement of low support. */
function reasonFault(reason: string, id: string): ReasonFault | undefined {
  const text = reason.trim();
  if (text === '') return 'no-reason';
  if (text.length < SHORTEST_REASON) return 'short-reason';
  const own = new Set(wordsOf(id));
  const telling = wordsOf(text).some((word) => !EMPTY_WORDS.has(word) && !own.has(word));
  return telling ? undefined : 'support-reason';
}

/** Letters only: a bare number is a count of votes. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
}

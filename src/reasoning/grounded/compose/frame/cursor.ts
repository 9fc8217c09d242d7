import type { Cue } from '../../question/mention/lexicon.ts';
import type { Mention } from '../../question/mention/mention.ts';
import {
  type AbsenceSlot,
  emptyFrame,
  type FilterSlot,
  type Frame,
  type HavingSlot,
  type StatisticOperand,
} from './frame.ts';

/** A composition rule: looks at the mentions from the cursor on, fills the frame, and says how many it used. */
export interface Rule {
  readonly name: string;
  /** Two questions that need the rule. */
  readonly examples: readonly [string, string];
  /** What must be given with the examples, where the rule reads hints. */
  readonly hint?: string;
  readonly apply: (cursor: Cursor) => number;
}

type Role = 'noun' | 'value' | 'number' | 'time' | 'cue' | 'unknown' | 'mark';

/** Words that are structure or name, whichever the schema says. */
const NAME_OR_CUE = new Set([
  'order',
  'orders',
  'count',
  'average',
  'total',
  'sum',
  'share',
  'change',
  'increase',
  'first',
  'last',
  'top',
  'minimum',
  'maximum',
  'min',
  'max',
  'trend',
  'no',
  'best',
  'chart',
  'graph',
  'plot',
  'diagram',
  'curve',
  'bars',
  'pie',
  'include',
]);

/** Walks over the mentions of a question while the frame fills. */
export class Cursor {
  readonly frame: Frame = emptyFrame();
  readonly mentions: readonly Mention[];
  position = 0;
  /** `project`: nouns are what is asked for; `modify`: nouns belong to conditions. */
  mode: 'project' | 'modify' = 'project';
  private waiting: Mention | undefined;
  private waitingOwner: Mention | undefined;
  isNegated = false;
  /** The negation denies that there is a row at all. */
  isDenied = false;
  isDistinct = false;
  connective: FilterSlot['connective'] = 'and';
  /** Set after "both": the next values are demanded together. */
  isBoth = false;
  absence: AbsenceSlot | undefined;
  /** A figure that is compared with: conditions that follow are its own. */
  statistic: StatisticOperand | undefined;
  /** Where the words begin that go on from an earlier question. */
  goesOnAt: number | undefined;
  private readonly roles: readonly Role[];

  constructor(mentions: readonly Mention[]) {
    this.mentions = mentions;
    this.roles = mentions.map((mention, index) => roleOf(mention, mentions, index));
  }

  /** A column that waits for its comparison or value; one that is given up is remembered. */
  get pending(): Mention | undefined {
    return this.waiting;
  }

  set pending(mention: Mention | undefined) {
    if (this.waiting !== undefined && this.waiting !== mention) this.frame.lost.push(this.waiting);
    this.waiting = mention;
    this.waitingOwner = undefined;
  }

  at(offset: number): Mention | undefined {
    return this.mentions[this.position + offset];
  }

  role(offset: number): Role | undefined {
    return this.roles[this.position + offset];
  }

  cue<K extends Cue['kind']>(offset: number, kind: K): Extract<Cue, { kind: K }> | undefined {
    const cue = this.role(offset) === 'cue' ? this.at(offset)?.cue : undefined;
    return cue?.kind === kind ? (cue as Extract<Cue, { kind: K }>) : undefined;
  }

  noun(offset: number): Mention | undefined {
    return this.role(offset) === 'noun' ? this.at(offset) : undefined;
  }

  /** Offset of the first mention from `offset` on that is neither filler nor "of". */
  skip(offset: number, kinds: readonly Cue['kind'][] = ['stop', 'of']): number {
    let at = offset;
    while (this.role(at) === 'cue' && kinds.includes(this.at(at)?.cue?.kind ?? 'count')) at++;
    return at;
  }

  /** What waits was used in another way. */
  forget(): void {
    this.waiting = undefined;
    this.waitingOwner = undefined;
  }

  /** Marks the mentions [position, position + count) as explained. */
  use(count: number): void {
    for (let offset = 0; offset < count; offset++) {
      const mention = this.at(offset);
      if (mention !== undefined) this.frame.used.add(mention.index);
    }
  }

  /** A table that is spoken of; one of a figure that is compared with belongs to the figure alone. */
  addContext(noun: Mention): void {
    if (this.statistic === undefined) this.frame.contexts.push(noun);
  }

  /** A column begins to wait; `owner` is the table that is said to have it. */
  wait(noun: Mention, owner: Mention | undefined): void {
    this.pending = noun;
    this.waitingOwner = owner;
  }

  addHaving(slot: Omit<HavingSlot, 'connective'>): void {
    const connective = this.connective === 'or' ? 'or' : 'and';
    this.frame.havings.push({ ...slot, connective });
    this.connective = 'and';
  }

  addFilter(slot: Omit<FilterSlot, 'isNegated' | 'connective'> & { readonly isNegated?: boolean }): void {
    const filter: FilterSlot = {
      ...slot,
      owner:
        slot.owner ?? (slot.noun !== undefined && slot.noun === this.waiting ? this.waitingOwner : undefined),
      isNegated: slot.isNegated ?? this.isNegated,
      isDenied: this.isDenied,
      connective: this.isBoth ? 'both' : this.connective,
    };
    (this.statistic?.filters ?? this.absence?.filters ?? this.frame.filters).push(filter);
    this.isNegated = false;
    this.isDenied = false;
    this.connective = 'and';
    if (this.waiting !== undefined && this.waiting !== slot.noun) this.frame.lost.push(this.waiting);
    this.waiting = undefined;
    if (this.frame.projections.length > 0) this.mode = 'modify';
  }
}

function roleOf(mention: Mention, all: readonly Mention[], index: number): Role {
  if (mention.isSentenceEnd || mention.isComma) return 'mark';
  if (mention.isQuoted) return 'value';
  // What is explained as a whole is no name, whatever table it speaks of.
  if (mention.meaning !== undefined) return 'mark';
  const noun = mention.nouns[0]?.score ?? 0;
  const value = mention.values[0]?.score ?? 0;
  // "a grade of A or C"
  if (mention.text === 'A' && index > 0 && value > 1) return 'value';
  if (mention.cue !== undefined) return isNamed(mention, all, index) ? 'noun' : 'cue';
  if (mention.time !== undefined) return 'time';
  if (mention.number !== undefined && mention.to - mention.from === 1) return 'number';
  if (value > noun) return 'value';
  if (noun > 0) return 'noun';
  return mention.isUnknown ? 'unknown' : 'mark';
}

function isNamed(mention: Mention, all: readonly Mention[], index: number): boolean {
  const best = mention.nouns[0]?.score ?? 0;
  if (isAskedOrListed(mention, all, index)) return true;
  if (best < 0.9) return false;
  const next = all[index + 1];
  const opensSentence =
    index === 0 ||
    all[index - 1]?.isSentenceEnd === true ||
    all[index - 1]?.isComma === true ||
    all[index - 1]?.cue?.kind === 'stop';
  const nextIsNoun = next !== undefined && next.nouns.length > 0 && next.cue === undefined;
  // "State the …": before an article stands a verb.
  const isVerb = nextIsNoun || /^(?:the|all|each|their|his|her|its|this|these)$/i.test(next?.text ?? '');
  if (mention.cue?.kind === 'stop') return !(opensSentence && isVerb);
  if (!NAME_OR_CUE.has(mention.text.toLowerCase())) return false;
  // "average, minimum and maximum age"
  const listed = all
    .slice(index + 1)
    .find((other) => !other.isComma && other.cue?.kind !== 'and' && other.cue?.kind !== 'stop');
  if (mention.cue?.kind === 'aggregate' && listed?.cue?.kind === 'aggregate' && listed.index <= index + 3)
    return false;
  const after = all
    .slice(index + 2)
    .find((other) => other.cue?.kind !== 'stop' && other.cue?.kind !== 'group');
  const ofTable = next?.cue?.kind === 'of' && best >= 0.95 && after?.nouns[0]?.kind === 'table';
  return (
    !nextIsNoun &&
    (ofTable || next?.cue?.kind !== 'of') &&
    next?.cue?.kind !== 'by' &&
    next?.number === undefined
  );
}

/** "which state has", "id, year and points": a word that fills a sentence elsewhere stands where a name does. */
function isAskedOrListed({ cue, nouns }: Mention, all: readonly Mention[], index: number): boolean {
  const [before, next] = [all[index - 1], all[index + 1]];
  const column = nouns.find(({ kind }) => kind === 'column')?.score ?? 0;
  if (cue?.kind !== 'stop' || before === undefined || column < 0.5) return false;
  const isAsked = /^(?:which|what|per|by)$/i.test(before.text);
  if (isAsked) return next !== undefined && /^(?:have|be|group|order)$/.test(next.cue?.kind ?? '');
  const isListed = before.cue?.kind === 'and' || before.isComma;
  const other =
    before.cue?.kind === 'and' && all[index - 2]?.isComma === true ? all[index - 3] : all[index - 2];
  const isBesideColumn = other?.cue === undefined && other?.nouns[0]?.kind === 'column';
  return isListed && isBesideColumn && column >= 0.6 && (next === undefined || next.isSentenceEnd);
}

import type { AggregateFunction } from '../../../../sql/print/index.ts';
import type { Mention } from '../mention/mention.ts';
import type { Dialogue, Turn } from './turn.ts';

/** A name this good is what a question is about. */
const FULL_NAME = 0.85;
/** A part of a question is short; a long text that reads like one has a subject that is not seen. */
const MOST_ALONE = 4;
/** Words behind which a name narrows, splits or sorts. */
const UNDER: ReadonlySet<string> = new Set([
  'group',
  'by',
  'preposition',
  'order',
  'direction',
  'not',
  'compare',
  'relative',
  'between',
]);
/** Words that a part of a question begins with. */
const PART: ReadonlySet<string> = new Set([
  ...UNDER,
  'share',
  'growth',
  'chart',
  'superlative',
  'null',
  'like',
]);

/**
 * Reads mentions [from, until) of a question as a turn that goes on from the question before it; undefined when they
 * are a question of their own. `isAlone`: nothing stands before it, so only words that clearly point back count.
 */
export function readTurn(
  question: string,
  mentions: readonly Mention[],
  range: { readonly from: number; readonly until: number },
  isAlone = false,
): Turn | undefined {
  const words = new TurnWords(question, mentions.slice(range.from, range.until));
  return words.isElliptic(isAlone) ? { ...range, ...words.toTurn() } : undefined;
}

class TurnWords {
  private readonly mentions: readonly Mention[];
  /** The turn without the words that may open any. */
  private readonly said: string;
  private readonly isOpened: boolean;
  private readonly isAbout: boolean;
  private readonly lead: Mention | undefined;
  private readonly subject: Mention | undefined;
  private readonly pointsBack: boolean;

  constructor(question: string, mentions: readonly Mention[]) {
    this.mentions = mentions.filter((mention) => !mention.isSentenceEnd);
    const [first, last] = [this.mentions[0], this.mentions.at(-1)];
    const start = first?.span.start ?? 0;
    const text = question.slice(start, last?.span.end ?? start);
    const opened = text.replace(TURN_WORDS.opener, '');
    this.said = opened.replace(TURN_WORDS.about, '');
    this.isOpened = opened !== text;
    this.isAbout = this.said !== opened;
    const saidFrom = start + text.length - this.said.length;
    const rest = this.mentions.filter((mention) => mention.span.start >= saidFrom);
    this.lead = rest.find((mention) => mention.cue?.kind !== 'stop' || isNamed(mention));
    this.subject = rest.find((mention) => isNamed(mention) && !this.isUnder(mention));
    const back = TURN_WORDS.back.exec(this.said);
    const named = rest.find(isNamed)?.span.start ?? Number.POSITIVE_INFINITY;
    this.pointsBack = back !== null && saidFrom + back.index < named;
  }

  isElliptic(isAlone: boolean): boolean {
    if (this.lead === undefined) return this.pointsBack || this.isAbout;
    if (isAlone && this.mentions.filter((mention) => mention.cue?.kind !== 'stop').length > MOST_ALONE)
      return false;
    const isMarked =
      this.isAbout || this.pointsBack || this.isAdding() || this.isReplacing() || this.isNarrowing();
    if (this.subject === undefined) {
      if (isMarked || this.isOpened) return true;
      if (this.hasHead() && this.hasVagueSubject()) return false;
      if (PART.has(this.lead.cue?.kind ?? '')) return true;
      const names = this.mentions.some((mention) => mention.isUnknown && !mention.isVerbLike);
      return !names && (!isAlone || !this.mentions.some(isContent));
    }
    if (this.pointsBack) return true;
    if (!this.hasHead()) return isMarked || this.isOpened;
    return (this.isAdding() || this.isReplacing()) && !isThing(this.subject);
  }

  toTurn(): Pick<Turn, 'lead' | 'manner' | 'asks' | 'isProjecting'> {
    const asks = this.asks();
    const isProjecting = asks === undefined && this.subject !== undefined && this.isFirst(this.subject);
    return {
      lead: this.leadOf(asks, isProjecting),
      manner: this.mannerOf(),
      isProjecting,
      ...(asks !== undefined && { asks }),
    };
  }

  /** Where its content begins: behind the word that asks, at what "with their" shows. */
  private leadOf(asks: Turn['asks'], isProjecting: boolean): number {
    const end = (this.mentions.at(-1)?.index ?? -1) + 1;
    if (isProjecting && this.subject?.isPossessed) return this.subject.index;
    return this.lead === undefined ? end : this.lead.index + (asks === undefined || asks === 'rows' ? 0 : 1);
  }

  private mannerOf(): Turn['manner'] {
    if (this.isReplacing() || this.isAbout) return 'replace';
    if (this.isAdding()) return 'add';
    return this.isNarrowing() ? 'narrow' : 'change';
  }

  private asks(): Turn['asks'] {
    if (this.subject !== undefined) return undefined;
    if (TURN_WORDS.rows.test(this.said.replace(/[\s,]+$/, ''))) return 'rows';
    const cue = this.lead?.cue ?? this.mentions.find((mention) => mention.cue?.kind === 'aggregate')?.cue;
    if (cue?.kind === 'count') return 'count';
    const figure = this.mentions.find((mention) => mention.cue?.kind === 'aggregate')?.cue;
    return figure?.kind === 'aggregate' ? figure.function : extremeOf(cue, this.mentions);
  }

  /** No condition stands before it: "the emails of …", not "Berlin customers". */
  private isFirst(subject: Mention): boolean {
    return this.mentions.every(
      (mention) =>
        mention.index >= subject.index ||
        (mention.values.length === 0 && mention.time === undefined && mention.number === undefined),
    );
  }

  private isUnder(mention: Mention): boolean {
    const before = this.mentions
      .filter((other) => other.index < mention.index && other.cue?.kind !== 'stop')
      .at(-1);
    // "without cancelled orders": a value between them belongs to the condition too.
    const opener =
      before !== undefined && before.cue === undefined && before.values.length > 0
        ? this.mentions.filter((other) => other.index < before.index && other.cue?.kind !== 'stop').at(-1)
        : before;
    const kind = opener?.cue?.kind ?? '';
    // "sort the names": what is sorted is shown.
    const isSorted = kind === 'order' && !/by$|order of$/i.test(opener?.text ?? '');
    // "share of women in leads": the whole is what it is about.
    const isWhole =
      this.mentions[0]?.cue?.kind === 'share' &&
      opener?.text.toLowerCase() === 'in' &&
      mention.nouns.some((noun) => noun.kind === 'metric' && noun.score >= FULL_NAME);
    return UNDER.has(kind) && !isSorted && !isWhole && !mention.isPossessed;
  }

  private hasHead(): boolean {
    const kind = this.lead?.cue?.kind;
    if (kind === 'wh' || kind === 'count' || TURN_WORDS.imperative.test(this.said)) return true;
    // "For each team, show …": the head stands behind what narrows it.
    return this.mentions.some((mention, place) => {
      const next = this.mentions[place + 1];
      const opens =
        next?.cue?.kind === 'wh' ||
        next?.cue?.kind === 'count' ||
        TURN_WORDS.imperative.test(next?.text ?? '');
      return mention.isComma && opens;
    });
  }

  /** Something that is named loosely or not known is asked for: "how many debit cards", but not "which are active". */
  private hasVagueSubject(): boolean {
    const asksWhich = /^(?:which|who|how many)$/i.test(this.lead?.text ?? '');
    return this.mentions.some((mention, place) => {
      const before = this.mentions.slice(0, place).findLast((other) => other.cue?.kind !== 'stop');
      const isPredicate = asksWhich && before?.cue?.kind === 'be';
      const isFirst = before === undefined || before === this.lead;
      const isThing = (mention.nouns[0]?.score ?? 0) > (mention.values[0]?.score ?? 0) || mention.isUnknown;
      const isPlain = mention.time === undefined && mention.number === undefined;
      if (isFirst && mention !== this.lead)
        return isPlain && (isThing || mention.nouns.length > 0 || !asksWhich);
      return isThing && !isPredicate && !mention.isVerbLike && !this.isUnder(mention);
    });
  }

  private isAdding(): boolean {
    return (
      TURN_WORDS.add.test(this.said) || /\b(?:also|plus|add|include)\b/i.test(this.mentions[0]?.text ?? '')
    );
  }

  private isReplacing(): boolean {
    return TURN_WORDS.replace.test(this.said);
  }

  private isNarrowing(): boolean {
    return TURN_WORDS.narrow.test(this.said);
  }
}

/** A table, a column or a figure by its full name, and better so than as a stored value. */
function isNamed(mention: Mention): boolean {
  const noun = mention.nouns[0]?.score ?? 0;
  return (
    !mention.isQuoted &&
    mention.time === undefined &&
    noun >= FULL_NAME &&
    noun >= (mention.values[0]?.score ?? 0)
  );
}

/** It names something, loosely or as a value. */
function isContent({ cue, nouns, values, number, time }: Mention): boolean {
  return (
    cue === undefined && (nouns.length + values.length > 0 || number !== undefined || time !== undefined)
  );
}

/** Things, not figures of them: "show the suppliers" asks for others. */
function isThing(mention: Mention): boolean {
  const [table, metric] = ['table', 'metric'].map((kind) =>
    mention.nouns.some((noun) => noun.kind === kind && noun.score >= FULL_NAME),
  );
  return table === true && metric !== true;
}

/** "and the highest?" asks for a figure, "the oldest 3" for rows. */
function extremeOf(cue: Mention['cue'], mentions: readonly Mention[]): AggregateFunction | undefined {
  const isFigure =
    cue?.kind === 'superlative' && /^(?:highest|lowest|largest|smallest)$/i.test(mentions.at(-1)?.text ?? '');
  return isFigure ? (cue.direction === 'desc' ? 'max' : 'min') : undefined;
}

/** Words by which a turn goes on from the question before it. */
const TURN_WORDS = {
  /** May stand before any question; says little alone. */
  opener:
    /^(?:(?:and|but|ok|okay|so|now|then|also|please|great|thanks|plus|well|actually|hm+|yes|no)\b[\s,]*)+/i,
  /** The question before it, for something else. */
  about:
    /^(?:(?:what|how) about|what if it(?:'s| is| was| were)?|(?:the )?same(?: thing| question| again)?|make (?:it|that)|change (?:it|that) to|switch to)\b[\s,]*/i,
  replace: /\b(?:instead|rather)\b/i,
  add: /^(?:also|plus|and also|add|include|with)\b|\b(?:too|also|as well|in addition|additionally)\s*$/i,
  narrow:
    /^(?:only|just|limit (?:it|that|this) to|narrow (?:it|that) (?:down )?to|filter (?:it|them|by|on|for|to))\b|\bonly\s*$/i,
  /** Points to what the question before it found. */
  back: /\b(?:them|they|their|theirs|those(?! (?:that|who|which|with|whose))|these|it|its|ones?|(?:that|the) list(?! of)|the results?(?! of)|the same)\b/i,
  /** Asks for the rows themselves. */
  rows: /^(?:(?:please |can you |could you )?(?:show|list|give|name|display|see|get)(?: me)?(?: all)?(?: of)? (?:them|those|these|it)(?: all)?|who (?:are|were) they|which (?:ones?|are they)|what are they|who\??|which(?: ones?)?)$/i,
  imperative:
    /^(?:please |can you |could you )?(?:show|list|give|find|display|tell|get|name|return|compare|count|see|add|include|how (?:is|are|was|were|did|do|does|has|have))\b/i,
} as const;

/**
 * Reads `revenue by month; only 2024` as a question and the turns that go on from it. Undefined where a part stands
 * alone: then the text is one question, whatever marks it has.
 */
export function readDialogue(question: string, mentions: readonly Mention[]): Dialogue | undefined {
  const marks = mentions
    .filter((mention) => mention.isComma && mention.text === ';')
    .map(({ index }) => index);
  const [first] = marks;
  if (first === undefined) return undefined;
  const turns: Turn[] = [];
  for (const [place, mark] of marks.entries()) {
    const turn = readTurn(question, mentions, { from: mark + 1, until: marks[place + 1] ?? mentions.length });
    if (turn === undefined) return undefined;
    turns.push(turn);
  }
  return { base: mentions.slice(0, first), turns };
}

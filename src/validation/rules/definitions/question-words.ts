/** The words of a question, and the places where names that people have given stand in it. */

export interface Word {
  /** In small letters, singular. */
  readonly plain: string;
  /** As written. */
  readonly raw: string;
  /** It begins a sentence, or the question. */
  readonly isFirst: boolean;
  /** Words between two commas, or between two of “and”, “or” and “than”, have one number. */
  readonly clause: number;
}

/** Places of words, half open. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export class QuestionWords {
  readonly words: readonly Word[];

  constructor(question: string) {
    this.words = wordsOf(question);
  }

  /** Where a name stands, in any number and case. */
  placesOf(name: string): readonly Place[] {
    const parts = wordsOf(name).map(({ plain }) => plain);
    if (parts.length === 0) return [];
    return this.words.flatMap((_, start) =>
      parts.every((part, at) => this.words[start + at]?.plain === part)
        ? [{ start, end: start + parts.length }]
        : [],
    );
  }

  /** The words of a place, as written. */
  rawAt({ start, end }: Place): string {
    return this.words
      .slice(start, end)
      .map(({ raw }) => raw)
      .join(' ');
  }

  has(name: string): boolean {
    return this.placesOf(name).length > 0;
  }

  /** Words with one of these beginnings. */
  placesOfStems(stems: ReadonlySet<string>): readonly Place[] {
    return this.words.flatMap(({ plain }, at) =>
      stems.has(stemOf(plain)) ? [{ start: at, end: at + 1 }] : [],
    );
  }

  /** Something before the place, or the words right after it, say that it is not so. */
  isNegated({ start, end }: Place): boolean {
    const before = this.words.slice(Math.max(0, start - 4), start);
    const after = this.words.slice(end, end + 3);
    return (
      before.some(({ plain }) => NEGATING.has(plain)) ||
      this.isDenied({ start, end }) ||
      after.some(({ plain }) => LEAVING_OUT.has(plain))
    );
  }

  /** “not yet delivered”, “without those cancelled”: nothing that says more stands between the denial and the place. */
  isDenied({ start }: Place): boolean {
    let at = start - 1;
    while (FILLING.has(this.words[at]?.plain ?? '')) at -= 1;
    return DENYING.has(this.words[at]?.plain ?? '');
  }

  /** “including those cancelled”, “whether accepted, rejected or pending”: what stands there is meant beside all else. */
  isWidened({ start, end }: Place): boolean {
    const before = this.words.slice(Math.max(0, start - FARTHEST_WIDENING), start).map(({ plain }) => plain);
    const from = before.findLastIndex((plain) => PHRASES.has(plain));
    const near = before.slice(from + 1);
    if (near.some((plain, at) => WIDENING.has(plain) || (plain === 'be' && near[at + 1] === 'it')))
      return true;
    if (near.some((plain, at) => plain === 'among' && near[at + 1] === 'them')) return true;
    // “who also ordered an electric car” asks for more, “also cancelled ones” for less.
    const isOnes = this.words.slice(end, end + FARTHEST_ONES).some(({ plain }) => plain === 'one');
    return near.some((plain, at) => plain === 'also' && (isOnes || THOSE.has(near[at + 1] ?? '')));
  }

  get hasNegation(): boolean {
    return this.words.some(({ plain }) => NEGATING.has(plain) || LEAVING_OUT.has(plain));
  }

  /** “and vice versa”, “the opposite direction”, “each way”. */
  get isBothWays(): boolean {
    return BOTH_WAYS.test(this.words.map(({ plain }) => plain).join(' '));
  }

  /** A part is asked for, of a whole that is named beside it. */
  get hasShare(): boolean {
    return this.words.some(({ plain }, at) => SHARES.has(plain) || (at === 0 && WHOLES.has(plain)));
  }

  /** “deleted ones included”: what is left out otherwise is asked for. */
  isIncluded(stems: ReadonlySet<string>): boolean {
    const isSaid = this.placesOfStems(stems).some((place) => !this.isNegated(place));
    return isSaid && this.words.some(({ plain }) => INCLUDING.has(plain));
  }

  /** A word of a longer name: `Standard Oil` is not what “standard” stands for. */
  isInsideName({ start, end }: Place): boolean {
    const isName = (at: number): boolean => {
      const word = this.words[at];
      return word !== undefined && !word.isFirst && /^\p{Lu}\p{L}*\p{Ll}/u.test(word.raw);
    };
    return isName(start) && isName(end - 1) && (isName(start - 1) || isName(end));
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const NEGATING = words(
  'not no non never without except excluding exclude neither nor other than but minus',
);
const SHARES = words('share percentage percent proportion fraction part rate ratio % pct');
const WHOLES = words('of out among');
const INCLUDING = words('include included includes including inclusive too also even plus ever');
const JOINING = words('and or but than versus vs while against minus');
const BOTH_WAYS =
  /\b(?:vice versa|(?:opposite|reverse|other|both|each|either) (?:way|direction)|way (?:a)?round|(?:the|in) (?:opposite|reverse)|back again|and back)\b/;
const DENYING = words('not never without except excluding exclude neither nor aside');
const FILLING = words(
  'yet been be being those the any all already still ones one that which are were is was wa have ha for',
);
const WIDENING = words(
  'include included includes including even whatever whether regardless irrespective matter however',
);
const THOSE = words('those the if when');
/** A new phrase begins, which is about something else. */
const PHRASES = words('in of by from per at during since where without except excluding');
const FARTHEST_WIDENING = 8;
const FARTHEST_ONES = 4;
const LEAVING_OUT = words('excluded ignored omitted left aside');

export function wordsOf(text: string): readonly Word[] {
  const found = [...text.matchAll(/[\p{L}\p{M}\p{N}%]+/gu)];
  let clause = 0;
  return found.map((match) => {
    const before = text.slice(0, match.index).trimEnd();
    const last = before.at(-1) ?? '';
    // “Of the leads of 2024, how many …” is one clause.
    const isOpening = last === ',' && clause === 0 && WHOLES.has(firstWord(text));
    const isEnded = last !== '' && !isOpening && CLAUSE_ENDS.includes(last);
    if (isEnded || JOINING.has(match[0].toLowerCase())) clause += 1;
    return {
      plain: plainWord(match[0]),
      raw: match[0],
      isFirst: before === '' || '.!?:'.includes(last),
      clause,
    };
  });
}

const CLAUSE_ENDS = ',;:.!?()';

/** The first word of a text. */
function firstWord(text: string): string {
  return /\p{L}+/u.exec(text)?.[0].toLowerCase() ?? '';
}

/** Singular and plural are the same. */
function plainWord(raw: string): string {
  const word = raw.toLowerCase();
  if (/\p{L}{2}ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return /\p{L}{3}s$/u.test(word) && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Beginnings by which a word and what it is made from are known: delivered, deliveries, delivery. */
export function stemOf(word: string): string {
  const plain = plainWord(word).replace(/(?:ing|ed|ion|y|e|er|al)$/, '');
  return plain.length < 3 ? plainWord(word) : plain.slice(0, 6);
}

const SMALL = words(
  'a an the of on at in by to from for with without and or not is are was be that this it all only row entered day date time',
);

export function stemsIn(text: string): ReadonlySet<string> {
  return new Set(
    wordsOf(text.replace(/_/g, ' '))
      .filter(({ plain }) => plain.length > 2 && !SMALL.has(plain))
      .map(({ plain }) => stemOf(plain)),
  );
}

export function overlaps(one: Place, other: Place): boolean {
  return one.start < other.end && other.start < one.end;
}

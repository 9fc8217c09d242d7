/** A question and its hint as word stems, with what they say about shape and values. */
import { keywordsOf } from '../../../knowledge/values/index.ts';
import { breakWords, isStopWord, stemOf, synonymsOf } from '../../../language/index.ts';

export interface TextWords {
  readonly lower: string;
  /** In order, stop words included. */
  readonly stems: readonly string[];
  readonly set: ReadonlySet<string>;
  /** Of stems that say something. */
  readonly content: ReadonlySet<string>;
  /** Stems that mean the same as a word or two of the text. */
  readonly synonyms: ReadonlySet<string>;
  /** ` stem stem ` to look for phrases in. */
  readonly joined: string;
  /** Names as they stand in the text: letters, digits and underscores, in lower case. */
  readonly names: ReadonlySet<string>;
  /** The same with their case. */
  readonly spelt: ReadonlySet<string>;
}

export interface QuestionWords {
  readonly question: TextWords;
  readonly hint: TextWords;
  readonly cues: Cues;
}

/** What the wording says about the shape of the answer and the literals in it; counts. */
export interface Cues {
  readonly words: number;
  readonly hintWords: number;
  readonly numbers: number;
  readonly quotes: number;
  readonly capitals: number;
  readonly years: number;
  readonly counts: boolean;
  readonly superlative: boolean;
  readonly average: boolean;
  readonly sum: boolean;
  readonly ratio: boolean;
  readonly when: boolean;
  readonly who: boolean;
  readonly where: boolean;
  readonly names: boolean;
  readonly list: boolean;
  readonly each: boolean;
}

/** A hint says of every word what it “refers to”. */
const OF_HINTS = 'refer';

export function readQuestionWords(question: string, hint: string): QuestionWords {
  return { question: readText(question), hint: readText(hint), cues: readCues(question, hint) };
}

function readText(text: string): TextWords {
  const spelt = new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? []);
  const lower = text.toLowerCase();
  const words =
    breakWords(text)
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? [];
  const stems = words.map(stemOf);
  const set = new Set(stems);
  return {
    lower,
    stems,
    set,
    content: new Set(
      stems.filter(
        (stem, at) => !isStopWord(words[at] ?? '', 'question') && words[at] !== OF_HINTS && stem.length > 1,
      ),
    ),
    synonyms: synonymStems(stems),
    joined: ` ${stems.join(' ')} `,
    names: new Set([...spelt].map((name) => name.toLowerCase())),
    spelt,
  };
}

function synonymStems(stems: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < stems.length; at += 1)
    for (const length of [1, 2])
      for (const phrase of synonymsOf(stems.slice(at, at + length)))
        for (const stem of phrase) found.add(stem);
  return found;
}

function readCues(question: string, hint: string): Cues {
  const lower = question.toLowerCase();
  const count = (pattern: RegExp): number => question.match(pattern)?.length ?? 0;
  return {
    words: count(/[\p{L}\p{N}]+/gu),
    hintWords: hint.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    numbers: count(/\p{N}[\p{N}.,]*/gu),
    quotes: countQuotes(question),
    capitals: count(/(?<=[\p{Ll},] )\p{Lu}[\p{L}]*/gu),
    years: count(/\b(?:1[89]|20)\d\d\b/g),
    counts: /\bhow many\b|\bnumber of\b|\bcount\b/.test(lower),
    // Endings are found first and read backwards: forwards, each boundary in a long word costs a walk through the rest of it.
    superlative:
      /\b(?:most|least|highest|lowest|largest|smallest|maximum|minimum|top|best|worst|first|last|latest|earliest|oldest|youngest|longest|shortest)\b|est\b(?<=\b\p{L}{3,}est)/u.test(
        lower,
      ),
    average: /\b(?:average|mean)\b/.test(lower),
    sum: /\b(?:total|sum|overall|altogether)\b/.test(lower),
    ratio: /\b(?:percentage|percent|ratio|proportion|rate|times more|difference)\b/.test(lower),
    when: /\b(?:when|date|year|month|day|time|during|before|after|since|between)\b/.test(lower),
    who: /\b(?:who|whose|whom|person|people)\b/.test(lower),
    where: /\b(?:where|location|located|place|city|country|state|county)\b/.test(lower),
    names: /\b(?:name|named|names|called|title|titled)\b/.test(lower),
    list: /\b(?:list|show|give|state|provide|name|indicate|what are|which)\b/.test(lower),
    each: /\b(?:each|every|per|by|respectively)\b/.test(lower),
  };
}

/** A quote that nothing closes is read to the end and not counted, so that its opening marks are not tried one by one. */
function countQuotes(text: string): number {
  const read = text.match(/["'“‘`][^"'”’`]{2,}(?:["'”’`]|$)/gu) ?? [];
  return read.filter((quote) => /["'”’`]$/.test(quote)).length;
}

/** A question as the ranker sees it. */
export interface RankedQuestion {
  readonly words: QuestionWords;
  /** By column id. */
  readonly values: ReadonlyMap<string, ValueFact>;
  /** Places of the tables whose family has a member of a day, number or word of the question. */
  readonly named: ReadonlySet<number>;
  /** Whether all stored values could be looked up, not only examples. */
  readonly hasValues: boolean;
}

/** Which columns hold a literal of the question, and how much that tells. */
interface ValueFact {
  /** Words of the longest literal that is a stored value. */
  readonly words: number;
  /** Columns that hold it: one tells more than twenty. */
  readonly columns: number;
  /** The literal, as the question has it. */
  readonly text: string;
}

/** Ids of the columns that hold a text, but for case. */
export type FindColumnsOf = (text: string) => readonly string[];

const MOST_KEYWORDS = 200;
const LEAST_LETTERS = 2;

/** By column id. Runs of words inside a longer run that is a value of the same column do not count again. */
export function valueFacts(
  question: string,
  hint: string,
  columnsOf: FindColumnsOf,
): ReadonlyMap<string, ValueFact> {
  const facts = new Map<string, ValueFact>();
  const keywords = [...new Set([...keywordsOf(question), ...keywordsOf(hint)])].slice(0, MOST_KEYWORDS);
  for (const text of keywords) {
    if (text.length < LEAST_LETTERS) continue;
    const columns = new Set(columnsOf(text));
    const words = text.split(/\s+/u).length;
    for (const id of columns) {
      const known = facts.get(id);
      if (known !== undefined && known.words >= words) continue;
      facts.set(id, { words, columns: columns.size, text });
    }
  }
  return facts;
}

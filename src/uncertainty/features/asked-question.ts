/** A question made ready for the features of the queries that want to answer it. */

import type { Catalog } from '../../catalog/index.ts';
import type { SchemaFacts } from '../../faults/index.ts';
import { stemOf } from '../../language/index.ts';
import {
  type QuestionWords,
  readQuestionWords,
  type SchemaOpinion,
} from '../../reasoning/grounded/linking/index.ts';

export interface AskedQuestion {
  readonly text: string;
  /** Outside knowledge: definitions, formulas, meanings of codes; empty where there is none. */
  readonly hint: string;
  /** Whether the question or the hint was longer than what is read of it, 4,000 characters each. */
  readonly isCut: boolean;
  /** Lower case. */
  readonly lower: { readonly text: string; readonly hint: string };
  /** Of the words of both. */
  readonly stems: ReadonlySet<string>;
  readonly opinion: SchemaOpinion;
  readonly words: QuestionWords;
  /** Columns that linking does not rule out, likeliest first. */
  readonly likely: readonly LikelyColumn[];
  /** Probabilities of tables that linking does not rule out, likeliest first. */
  readonly likelyTables: readonly { readonly id: string; readonly probability: number }[];
  /** Ids of columns whose whole name stands in the hint. */
  readonly hintColumns: ReadonlySet<string>;
  readonly said: SaidLiterals;
}

export interface LikelyColumn {
  readonly id: string;
  readonly tableId: string;
  readonly probability: number;
}

/** What a question and its hint say that literals may come from. */
export interface SaidLiterals {
  /** Quoted texts of the hint, without quotes. */
  readonly hintTexts: readonly string[];
  readonly hintNumbers: readonly string[];
  /** Quoted texts and runs of capitalised words of the question, which may be names of things. */
  readonly questionTexts: readonly string[];
  readonly questionNumbers: readonly string[];
  /** Names of functions that the hint writes with a bracket, upper case. */
  readonly hintCalls: ReadonlySet<string>;
}

const RULED_OUT = 0.02;
/** As linking reads. */
const MOST_CHARACTERS = 4_000;

export function prepareQuestion(
  given: { readonly text: string; readonly hint?: string },
  catalog: Catalog,
  opinion: SchemaOpinion,
): AskedQuestion {
  const text = given.text.slice(0, MOST_CHARACTERS);
  const hint = (given.hint ?? '').slice(0, MOST_CHARACTERS);
  const likely = catalog.tables.flatMap(({ id: tableId, columns }) =>
    columns.flatMap(({ id }) => {
      const probability = opinion.columnProbability(id);
      return probability < RULED_OUT ? [] : [{ id, tableId, probability }];
    }),
  );
  const likelyTables = catalog.tables.flatMap(({ id }) => {
    const probability = opinion.tableProbability(id);
    return probability < RULED_OUT ? [] : [{ id, probability }];
  });
  return {
    text,
    hint,
    isCut: text.length < given.text.length || hint.length < (given.hint ?? '').length,
    lower: { text: text.toLowerCase(), hint: hint.toLowerCase() },
    stems: new Set(stemsIn(`${text} ${hint}`)),
    opinion,
    words: readQuestionWords(text, hint),
    likely: likely.sort((one, other) => other.probability - one.probability),
    likelyTables: likelyTables.sort((one, other) => other.probability - one.probability),
    hintColumns: columnsNamedIn(hint, catalog),
    said: readLiterals(text, hint),
  };
}

function columnsNamedIn(hint: string, { tables }: Catalog): ReadonlySet<string> {
  const lower = hint.toLowerCase();
  if (lower === '') return new Set();
  const words = new Set(lower.match(/[\p{L}\p{N}_]+/gu));
  const isNamed = (name: string): boolean =>
    /^[\p{L}\p{N}_]+$/u.test(name) ? words.has(name) : stands(name, lower);
  const named = tables.flatMap(({ columns }) => columns.filter(({ name }) => isNamed(name.toLowerCase())));
  return new Set(named.map(({ id }) => id));
}

/** Whether a name stands in a text with no letter, digit or underscore at its ends. SQLite allows a column without a name. */
function stands(name: string, text: string): boolean {
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

const QUOTED = /'([^']{1,80})'|"([^"]{1,80})"|‘([^’]{1,80})’|“([^”]{1,80})”/gu;
const NUMBER = /(?<![\p{L}\p{N}_])\d[\d,]*(?:\.\d+)?/gu;
const CAPITALISED =
  /(?<=\S\s)\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|and|de|&)\s*)?\p{Lu}[\p{L}\p{N}'’.-]*)*/gu;

function readLiterals(text: string, hint: string): SaidLiterals {
  return {
    hintTexts: quotedIn(hint),
    hintNumbers: numbersIn(hint),
    questionTexts: [...quotedIn(text), ...(text.match(CAPITALISED) ?? [])],
    questionNumbers: numbersIn(text),
    hintCalls: new Set(
      [...hint.matchAll(/\b([A-Za-z]{3,12})\s*\(/g)].map(([, name = '']) => name.toUpperCase()),
    ),
  };
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map((found) => found.slice(1).find((part) => part !== undefined) ?? '');
}

function numbersIn(text: string): readonly string[] {
  return (text.match(NUMBER) ?? []).map((number) => number.replaceAll(',', ''));
}

/**
 * What was found for a question, by name: its candidates ask for the same tables, columns and words. Lives as long as the
 * question; another schema beside the same question starts anew.
 */
export function questionMemory<Value>(): (
  asked: AskedQuestion,
  schema?: SchemaFacts,
) => (name: string, find: (name: string) => Value) => Value {
  const known = new WeakMap<
    AskedQuestion,
    { readonly schema: SchemaFacts | undefined; readonly found: Map<string, Value> }
  >();
  return (asked, schema) => {
    let memory = known.get(asked);
    if (memory?.schema !== schema || memory === undefined) {
      memory = { schema, found: new Map() };
      known.set(asked, memory);
    }
    const { found } = memory;
    return (name, find) => {
      const before = found.get(name);
      if (before !== undefined) return before;
      const value = find(name);
      found.set(name, value);
      return value;
    };
  };
}

/** Longer ones are codes or attacks; the rules of stems are for words, and stems are kept in memory. */
const LONGEST_WORD = 60;

/** Stems of the words and runs of digits of a text, in order. */
export function stemsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map(shortStem);
}

/** The stem of a word; a very long word itself. */
export function shortStem(word: string): string {
  return word.length > LONGEST_WORD ? word : stemOf(word);
}

/** `%Fresno%` → `Fresno`: a pattern without the wildcards at its ends. Linear, unlike `/%+$/`, which starts at every `%`. */
export function barePattern(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === '%') start += 1;
  while (end > start && text[end - 1] === '%') end -= 1;
  return text.slice(start, end);
}

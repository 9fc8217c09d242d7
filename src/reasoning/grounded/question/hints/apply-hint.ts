/** The one door of the hints: what a hint changes for one question. */

import type { Assumption } from '../../../../answer.ts';
import { stemOf } from '../../../../language/index.ts';
import type { GroundedKnowledge } from '../../knowledge/knowledge.ts';
import type { SchemaGraph } from '../../query/graph/schema-graph.ts';
import type { DefinedCondition, Definition, Meaning } from '../mention/definition.ts';
import type { Mention, ValueMatch } from '../mention/mention.ts';
import { type Token, tokenise } from '../read/tokenise.ts';
import type { DefinedSpan } from './defined-filter.ts';
import { columnMatch } from './defined-filter.ts';
import { readHint, tablesOf } from './read-hint.ts';

export interface AppliedHint {
  /** Spans of the question that the hint explains. */
  readonly spans: readonly DefinedSpan[];
  /** Conditions without words in the question, as mentions behind the last one. */
  readonly unsaid: (mentions: readonly Mention[]) => Mention[];
  /** Tables that the explained words speak of. */
  readonly tables: readonly string[];
  /** Keys that the hint names win over their rivals. */
  readonly graph: SchemaGraph;
  /** What of the hint was not understood. */
  readonly assumptions: readonly Assumption[];
}

/** Reads a hint for a question; without one nothing changes. */
export function applyHint(
  hint: string | undefined,
  tokens: readonly Token[],
  { knowledge, now }: { readonly knowledge: GroundedKnowledge; readonly now: Date },
): AppliedHint {
  if (hint === undefined)
    return { spans: [], unsaid: () => [], tables: [], graph: knowledge.graph, assumptions: [] };
  const { definitions, unread } = readHint(hint, knowledge, { now, named: namedTables(tokens, knowledge) });
  const { spans, unsaid, used } = defineWords(definitions, tokens, knowledge);
  return {
    spans,
    unsaid: (mentions) => unsaid.map((definition, at) => toMention(definition, at, mentions)),
    tables: used.flatMap(tablesOf),
    graph: preferJoins(knowledge.graph, definitions),
    assumptions: unread.map(({ text }) => ({
      kind: 'hint',
      text: `Of the hint, “${text}” was not understood and not used.`,
    })),
  };
}

function namedTables(tokens: readonly Token[], { names }: GroundedKnowledge): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ lower }) =>
      names
        .match([lower])
        .filter(({ kind, score }) => kind === 'table' && score >= 0.85)
        .map(({ tableId }) => tableId),
    ),
  );
}

/** As if the condition were said at the end of the question. */
function toMention(definition: Definition, at: number, said: readonly Mention[]): Mention {
  const last = said.at(-1);
  const [to, end] = [last?.to ?? 0, last?.span.end ?? 0];
  return {
    ...{ index: said.length + at, from: to, to, span: { start: end, end }, text: definition.text },
    ...{ score: 1, nouns: [], values: [], meaning: definition.meaning },
    ...{ isQuoted: false, isUnknown: false, isVerbLike: false, isPossessed: false },
    ...{ isSentenceEnd: false, isComma: false },
  };
}

/** The graph without the rivals of keys that a hint names: "skin colour refers to colour where skin_colour_id = colour.id". */
export function preferJoins(graph: SchemaGraph, definitions: readonly Definition[]): SchemaGraph {
  const joins = definitions.flatMap(({ meaning }) => meaning.joins);
  if (joins.length === 0) return graph;
  const pairs = new Map<string, Set<string>>();
  for (const [one, other] of joins) {
    const key = pairKey(graph.column(one).tableId, graph.column(other).tableId);
    pairs.set(key, (pairs.get(key) ?? new Set()).add(one).add(other));
  }
  return {
    ...graph,
    edges: (id) =>
      graph.edges(id).filter((edge) => {
        const named = pairs.get(pairKey(edge.from, edge.to));
        return (
          named === undefined || [...edge.fromColumns, ...edge.toColumns].every((column) => named.has(column))
        );
      }),
  };
}

function pairKey(one: string, other: string): string {
  return [one, other].sort().join(' ');
}

// Definitions as spans of the question, ready for the cover of mentions.

/** What was said for this question weighs more than any value that is like its words. */
const DEFINED_SCORE = 1.3;

interface DefinedWords {
  readonly spans: readonly DefinedSpan[];
  /** Definitions that explain something of the question. */
  readonly used: readonly Definition[];
  /** Conditions that no word of the question stands for. */
  readonly unsaid: readonly Definition[];
}

/** `female refers to gender = 'F'` → the word "female" as a value of the column. */
function defineWords(
  definitions: readonly Definition[],
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedWords {
  const isThing = (word: string): boolean =>
    knowledge.names.match([word]).some(({ kind, score }) => kind === 'table' && score >= 0.85);
  const placed = placeDefinitions(definitions, tokens, isThing);
  return {
    spans: placed.flatMap((each) => toSpan(each, tokens, knowledge) ?? []),
    used: placed.map(({ definition }) => definition),
    unsaid: placed.filter(({ range }) => range === undefined).map(({ definition }) => definition),
  };
}

function toSpan(
  { definition, range }: PlacedDefinition,
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedSpan | undefined {
  if (range === undefined) return undefined;
  const { meaning, text } = definition;
  const base = { ...range, score: DEFINED_SCORE, nouns: [], values: [], isDefined: true };
  if (meaning.heldBy !== undefined) return heldValues(definition, range, tokens, knowledge);
  const value = plainValue(meaning);
  if (value !== undefined)
    return { ...base, values: value.map((match) => ({ ...match, why: `hint: ${text}` })) };
  const [columns, second] = meaning.columns;
  const isName = columns !== undefined && second === undefined && isOnly(meaning, 'columns');
  if (!isName) return { ...base, meaning };
  const words = tokens.slice(range.from, range.to).map(({ lower }) => lower);
  const tables = knowledge.names.match(words).filter(({ kind }) => kind === 'table');
  return { ...base, nouns: [...columns.map((column) => columnMatch(column, text)), ...tables] };
}

/** One equality with a value, as words that name a stored value have it. */
function plainValue(meaning: Meaning): Omit<ValueMatch, 'why'>[] | undefined {
  const [only, second] = meaning.conditions;
  const condition = only?.literal;
  const isPlain = condition?.operator === '=' && !condition.isNegated && isOnly(meaning, 'conditions');
  const value = condition?.values[0];
  if (second !== undefined || !isPlain || value === undefined) return undefined;
  return condition?.columns.map((column) => ({
    columnId: column.id,
    tableId: column.tableId,
    value,
    score: DEFINED_SCORE,
  }));
}

/** Nothing else is said. Joins choose keys, which is no matter of words. */
function isOnly(meaning: Meaning, part: 'columns' | 'conditions'): boolean {
  const { ranking, figure, having } = meaning;
  const other = part === 'columns' ? meaning.conditions : meaning.columns;
  return other.length === 0 && ranking === undefined && figure === undefined && having === undefined;
}

/** "TR000 is the molecule id": of the places that hold the text, the named column's. */
function heldValues(
  { meaning, text }: Definition,
  range: { readonly from: number; readonly to: number },
  tokens: readonly Token[],
  knowledge: GroundedKnowledge,
): DefinedSpan | undefined {
  const ids = new Set(meaning.heldBy?.flat().map(({ id }) => id));
  const said = tokens
    .slice(range.from, range.to)
    .map((token) => token.text)
    .join(' ');
  const values = knowledge
    .lookupValue(said)
    .filter(({ columnId }) => ids.has(columnId))
    .map((match) => ({ ...match, score: DEFINED_SCORE, why: `hint: ${text}` }));
  return values.length === 0
    ? undefined
    : { ...range, score: DEFINED_SCORE, nouns: [], values, isDefined: true };
}

// Finds the words of the question that a definition explains.

/** A definition beside the tokens it explains; without tokens it is said at the end, as it were. */
interface PlacedDefinition {
  readonly definition: Definition;
  readonly range?: TokenRange;
}

/**
 * Places each definition: by its phrase, else by its literals, else, for a figure, by a word that asks for one. What only
 * explains words that the question does not have is left out; a condition without any phrase holds all the same.
 */
function placeDefinitions(
  definitions: readonly Definition[],
  tokens: readonly Token[],
  isThing: (word: string) => boolean,
): PlacedDefinition[] {
  return definitions.flatMap((definition): PlacedDefinition[] => {
    const { phrase, meaning } = definition;
    const found = phrase === '' ? [] : findPhrase(phrase, tokens, isThing);
    // A figure is asked for once; what names or narrows may be said again.
    const isOnce = meaning.figure !== undefined || meaning.ranking !== undefined;
    if (found.length > 0)
      return (isOnce ? found.slice(0, 1) : found).map((place) => {
        const range = withoutThings(place, definition, tokens, isThing);
        return { definition, range: withOf(range, definition, tokens) };
      });
    const literal = findLiteral(meaning.conditions, tokens);
    if (literal !== undefined) return [{ definition, range: literal }];
    const word =
      meaning.figure?.kind === 'expression' || meaning.ranking !== undefined
        ? figureWord(definition, tokens)
        : undefined;
    if (word !== undefined) return [{ definition, range: withOf(word, definition, tokens) }];
    return phrase === '' && meaning.conditions.length > 0 ? [{ definition }] : [];
  });
}

/** The thing that a condition describes keeps its own place: of "double bonds" only "double" is explained. */
function withoutThings(
  { from, to }: TokenRange,
  { meaning }: Definition,
  tokens: readonly Token[],
  isThing: (word: string) => boolean,
): TokenRange {
  const isDescribed =
    meaning.columns.length === 0 && meaning.figure === undefined && meaning.heldBy === undefined;
  if (!isDescribed) return { from, to };
  let [start, end] = [from, to];
  const isOuter = (at: number): boolean => {
    const { kind = 'stop', lower = '' } = tokens[at] ?? {};
    return kind === 'word' && (isThing(lower) || LINKS.has(lower));
  };
  while (end - start > 1 && isOuter(end - 1)) end -= 1;
  while (end - start > 1 && isOuter(start)) start += 1;
  return { from: start, to: end };
}

/** "the percentage of": the word that leads on belongs to the figure. */
function withOf({ from, to }: TokenRange, { meaning }: Definition, tokens: readonly Token[]): TokenRange {
  return { from, to: meaning.figure !== undefined && tokens[to]?.lower === 'of' ? to + 1 : to };
}

/** Words between a thing and what describes it. */
const LINKS = new Set('that which who are is was were be the'.split(' '));

const RATIO = /^(?:percent|percents|percentage|percentages|proportion|ratio|rate|share|difference|times|%)$/;
const AVERAGE = /^(?:average|mean|averagely)$/;
const RANKING = /^(?:most|least|highest|lowest|largest|smallest|biggest|maximum|minimum|top|best|fewest)$/;

/** A word of the question that asks for a figure of this kind. */
function figureWord({ meaning }: Definition, tokens: readonly Token[]): TokenRange | undefined {
  const patterns = meaning.ranking === undefined ? [RATIO, AVERAGE, /^much$/] : [RANKING];
  for (const pattern of patterns) {
    const at = tokens.findIndex(({ lower }) => pattern.test(lower));
    if (at >= 0) return { from: at, to: at + 1 };
  }
  return undefined;
}

/** Words that belong to the comparison in front of a number. */
const COMPARING = new Set(
  'more less than over above under below at least most between greater fewer higher lower bigger smaller exactly equal equals to of'.split(
    ' ',
  ),
);

/**
 * Where the question says the literal of the first condition itself: `"paid more than 50 dollars"` for `cost > 50`.
 * Of several literals (a range) the span holds all.
 */
function findLiteral(
  conditions: readonly DefinedCondition[],
  tokens: readonly Token[],
): TokenRange | undefined {
  const condition = conditions[0]?.literal;
  if (condition === undefined || condition.values.length === 0) return undefined;
  const ranges = condition.values.map((value) => find(value, tokens));
  const found = ranges.flatMap((range) => range ?? []);
  if (found.length < ranges.length) return undefined;
  let from = Math.min(...found.map((range) => range.from));
  const to = Math.max(...found.map((range) => range.to));
  if (to - from > 8) return undefined;
  const isNumber = condition.values.every((value) => typeof value === 'number');
  while (isNumber && COMPARING.has(tokens[from - 1]?.lower ?? '')) from -= 1;
  return { from, to };
}

function find(value: string | number, tokens: readonly Token[]): TokenRange | undefined {
  if (typeof value === 'number') {
    const at = tokens.findIndex(({ number }) => number === value);
    return at < 0 ? undefined : { from: at, to: at + 1 };
  }
  const quoted = tokens.findIndex(
    ({ kind, lower }) => kind === 'quoted' && lower === value.toLowerCase().trim(),
  );
  if (quoted >= 0) return { from: quoted, to: quoted + 1 };
  const words = tokenise(value).map(({ lower }) => lower);
  if (words.length === 0 || value.trim().length < 2) return undefined;
  for (let from = 0; from + words.length <= tokens.length; from += 1)
    if (words.every((word, at) => tokens[from + at]?.lower === word))
      return { from, to: from + words.length };
  return undefined;
}

/** Tokens [from, to) of a question. */
interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** A token has several words where it is hyphenated: "non-metallic" is "not metallic". */
interface Word {
  readonly stem: string;
  readonly token: number;
}

const LOOSE = new Set(
  'the of a an for in on at to by with from and or is are be was were all each what which that their its his her there do does did how list find give have has had it as this these those than then me show please'.split(
    ' ',
  ),
);

/** Words of things, of which each table has one, tell less than the words that describe them. */
const THING_WEIGHT = 0.25;
/** Share of a phrase's words that the question must hold, by weight. */
const ENOUGH = 0.5;

/**
 * Where the question has the words of a phrase, close together and in any order: "metallic compounds" is found in
 * "compounds that are metallic". `isThing` tells names of tables. Every place that has as much of it as the best one;
 * none where too little is there.
 */
export function findPhrase(
  phrase: string,
  tokens: readonly Token[],
  isThing: (word: string) => boolean,
): TokenRange[] {
  const wanted = new Map<string, number>();
  for (const token of tokenise(phrase))
    for (const stem of stemsOf(token)) wanted.set(stem, isThing(token.lower) ? THING_WEIGHT : 1);
  const total = sum(wanted.values());
  if (total === 0) return [];
  const words = tokens.flatMap((token, at) =>
    (isOrdinal(tokens, at) ? ['number'] : stemsOf(token)).map((stem): Word => ({ stem, token: at })),
  );
  const runs = words
    .flatMap((_word, start) => runFrom(words, start, wanted, tokens) ?? [])
    .filter(({ weight }) => weight / total >= ENOUGH)
    .sort((one, other) => other.weight - one.weight || one.to - one.from - (other.to - other.from));
  const places: TokenRange[] = [];
  for (const { from, to, weight } of runs) {
    const isTaken = places.some((place) => from < place.to && place.from < to);
    if (!isTaken && weight === runs[0]?.weight) places.push({ from, to });
  }
  return places;
}

/** "race no. 20". */
function isOrdinal(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.kind === 'stop' ? tokens[at + 2] : tokens[at + 1];
  return /^nos?$/.test(tokens[at]?.lower ?? '') && next?.kind === 'number';
}

/** The longest run of words that all belong to the phrase, each word of it once. */
function runFrom(
  words: readonly Word[],
  start: number,
  wanted: ReadonlyMap<string, number>,
  tokens: readonly Token[],
): (TokenRange & { readonly weight: number }) | undefined {
  const left = new Map(wanted);
  let end = start;
  while (end < words.length && left.has(words[end]?.stem ?? '') && !isBroken(words, start, end, tokens)) {
    left.delete(words[end]?.stem ?? '');
    end += 1;
  }
  const [first, last] = [words[start], words[end - 1]];
  if (first === undefined || last === undefined || end === start) return undefined;
  // A hyphenated word counts whole or not at all.
  if (words[start - 1]?.token === first.token || words[end]?.token === last.token) return undefined;
  return { from: first.token, to: last.token + 1, weight: sum(wanted.values()) - sum(left.values()) };
}

/** A comma or the end of a sentence lies between two words. */
function isBroken(words: readonly Word[], start: number, at: number, tokens: readonly Token[]): boolean {
  if (at === start) return false;
  const between = tokens.slice((words[at - 1]?.token ?? 0) + 1, words[at]?.token);
  return between.some(({ kind }) => kind === 'stop' || kind === 'comma');
}

function stemsOf(token: Token): string[] {
  if (token.kind === 'comma' || token.kind === 'stop') return [];
  const parts = token.kind === 'quoted' ? token.lower.split(/\s+/) : token.lower.split('-');
  return parts
    .map((part) => part.replace(/[^\p{L}\p{N}_%#+.]/gu, ''))
    .filter((part) => part !== '' && !LOOSE.has(part))
    .map((part) => (part === 'non' ? 'not' : stemOf(part)));
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

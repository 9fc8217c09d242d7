import { stemOf } from '../read/lemma.ts';
import { type Token, tokenise } from '../read/tokenise.ts';

/** Tokens [from, to) of a question. */
export interface TokenRange {
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

/** General English words and what they are related to: WordNet in one file, read at the first look-up. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { CandorError } from '../../../../errors.ts';
import { lemmaOf } from '../../../../language/index.ts';
import {
  BoundedMap,
  checkFormat,
  decodeTensors,
  type Refuse,
  type TensorFile,
  tensorOf,
  textsOf,
} from '../../../../lib/index.ts';

/** `broader`: "vocalist" → musician; `narrower`: "performer" → actor; `derived`: "buyer" → buy. */
export type Relation = 'synonym' | 'broader' | 'narrower' | 'derived';

export interface EnglishRelation {
  readonly word: string;
  /** In (0, 1]: how likely the one is meant by the other, by how usual the shared senses are. */
  readonly weight: number;
  readonly relation: Relation;
}

/** Which relation a word has to another, by the letter that the file has for it, and which the other one has to it. */
const RELATIONS: Readonly<Record<string, readonly [there: Relation, back: Relation]>> = {
  s: ['synonym', 'synonym'],
  b: ['broader', 'narrower'],
  n: ['narrower', 'broader'],
  d: ['derived', 'derived'],
};

/** Written by `scripts/build-vocabulary.mjs`. */
const FILE = new URL('./data/words.br', import.meta.url);
const MOST_BYTES = 4_000_000;
/** Words of a line of the list. */
const LINE_WORDS = 16;
/** How many of what a word is related to count. */
const MOST_RELATED = 16;

/** Words by their place in the alphabet. */
interface Vocabulary {
  /** The first word of a line whole, of each other one a capital for how many letters it shares with the one before (A: none), and the rest. */
  readonly lines: readonly string[];
  /** Ten times the logarithm of how many words are used more often. */
  readonly rarity: Uint8Array;
  /** Bits of `FIELDS`. */
  readonly fields: Uint8Array;
  /** 1 where a name has others. */
  readonly named: Uint8Array;
  /** Of each such name a line: what the same is called. */
  readonly names: () => readonly string[];
  readonly related: () => RelatedPlaces;
}

/** By place, from `starts[place]` to the next one's start: what the word is related to, as the place of the other and, above it, the kind. */
interface RelatedPlaces {
  readonly starts: Uint32Array;
  readonly others: Uint32Array;
  readonly kinds: readonly RelatedKind[];
}

interface RelatedKind {
  readonly relation: Relation;
  readonly weight: number;
}

const PLACE_BITS = 16;
const PLACE_MASK = 0xff_ff;

let vocabulary: Vocabulary | undefined;

/** Read at the first look-up: names of a question that are all known need none. */
function english(): Vocabulary {
  vocabulary ??= readVocabulary();
  return vocabulary;
}

function readVocabulary(): Vocabulary {
  const refuse: Refuse = (what, cause) =>
    new CandorError('engine.model-missing', `${fileURLToPath(FILE)} cannot be read: ${what}`, { cause });
  const file = decodeTensors(unpack(refuse), MOST_BYTES, refuse);
  checkFormat(file, 'candor-words 1', refuse);
  const bytes = (name: string): Uint8Array => tensorOf(file, name, 'U8', refuse);
  const lines = (name: string): string[] => Buffer.from(bytes(name)).toString('latin1').split('\n');
  return {
    lines: lines('words'),
    rarity: bytes('rarity'),
    fields: bytes('fields'),
    named: bytes('named'),
    names: atNeed(() => lines('names')),
    related: atNeed(() => readRelated(file, refuse)),
  };
}

function atNeed<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function unpack(refuse: Refuse): Uint8Array {
  try {
    return brotliDecompressSync(readFileSync(FILE));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * The file has a pair once, at the word that comes first: how many each word has, how many places on the other word of each is, and the
 * kind. `s90`: either is a synonym of the other; `>b70`: the second is broader than the first, and the first is nothing to the second.
 */
function readRelated(file: TensorFile, refuse: Refuse): RelatedPlaces {
  const [counts, high, low, pairKinds] = ['counts', 'steps high', 'steps low', 'kinds'].map((name) =>
    tensorOf(file, name, 'U8', refuse),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const names = textsOf(file, 'kind names', { most: 127, longest: 4 }, refuse);
  const kinds = [0, 1].flatMap((way) => names.map((name) => readKind(name, way, refuse)));
  const isThere = names.map((name) => !name.startsWith('<'));
  const isBack = names.map((name) => !name.startsWith('>'));
  const eachRelation = (tell: (place: number, other: number, kind: number) => void): void => {
    for (let place = 0, pair = 0; place < counts.length; place++) {
      let other = place;
      for (const end = pair + counts[place]!; pair < end; pair++) {
        other += (high[pair]! << 8) + low[pair]!;
        const kind = pairKinds[pair]!;
        if (isThere[kind]) tell(place, other, kind);
        if (isBack[kind]) tell(other, place, kind + names.length);
      }
    }
  };
  const starts = new Uint32Array(counts.length + 1);
  eachRelation((place) => starts[place + 1]!++);
  for (let place = 0; place < counts.length; place++) starts[place + 1]! += starts[place]!;
  const free = starts.slice();
  const others = new Uint32Array(starts[counts.length]!);
  eachRelation((place, other, kind) => {
    others[free[place]!++] = other + (kind << PLACE_BITS);
  });
  return { starts, others, kinds };
}

/** `way` 0: what the second word is to the first; 1: what the first is to the second. */
function readKind(name: string, way: number, refuse: Refuse): RelatedKind {
  const [, letter = '', hundredths] = /^[<>]?([a-z])(\d{1,2})$/.exec(name) ?? [];
  const relation = RELATIONS[letter]?.[way];
  if (relation === undefined) throw refuse(`no words are related by ${name}`);
  return { relation, weight: Number(hundredths) / 100 };
}

const memory = new BoundedMap<string, number | undefined>(4_000);

/** Where a word stands; absent for one that is not there. A question and the names of a schema are asked about over and over. */
function placeOf(word: string): number | undefined {
  return /^[a-z]{3,20}$/.test(word) ? memory.getOrMake(word, findPlace) : undefined;
}

function findPlace(word: string): number | undefined {
  const { lines } = english();
  // A capital comes before this sign and a small letter behind it: below it are the lines whose first word is this one or one before.
  const behind = `${word}[`;
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < behind) low = middle + 1;
    else high = middle;
  }
  const at = low === 0 ? -1 : wordsOfLine(lines[low - 1]!).indexOf(word);
  return at < 0 ? undefined : (low - 1) * LINE_WORDS + at;
}

function wordsOfLine(line: string): string[] {
  const [first = '', ...others] = line.split(/(?=[A-Z])/);
  const words = [first];
  for (const other of others) {
    const shared = other.charCodeAt(0) - 'A'.charCodeAt(0);
    words.push(words.at(-1)!.slice(0, shared) + other.slice(1));
  }
  return words;
}

function wordAt(place: number): string {
  const line = english().lines[Math.floor(place / LINE_WORDS)]!;
  return wordsOfLine(line)[place % LINE_WORDS]!;
}

/** Whether a word in its base form is one of general English. */
export function isEnglish(word: string): boolean {
  return placeOf(word) !== undefined;
}

/** Logarithm of how many words are used more often; absent for a word that is not English. */
export function rarityOf(word: string): number | undefined {
  const place = placeOf(word);
  return place === undefined ? undefined : english().rarity[place]! / 10;
}

/**
 * What a word is in its most used sense: a noun for a person or for a group of them; a verb that only says that something is or is made, one of
 * what somebody does with something (they own, organise or win it), one of going somewhere.
 */
export type WordField = 'person' | 'group' | 'being' | 'making' | 'deed' | 'motion';

const FIELDS: Readonly<Record<WordField | 'verb' | 'name', number>> = {
  person: 1,
  group: 2,
  being: 4,
  making: 8,
  deed: 16,
  motion: 32,
  verb: 64,
  name: 128,
};

function hasField(word: string, field: keyof typeof FIELDS): boolean {
  const place = placeOf(word);
  return place !== undefined && (english().fields[place]! & FIELDS[field]) !== 0;
}

/** Whether a form has a base whose most used sense is in the field; "sung" is one of sing. */
export function isInField(lower: string, field: WordField): boolean {
  const bases = new Set([...baseForms(lower), ...baseForms(lemmaOf(lower))]);
  return [...bases].some((base) => hasField(base, field));
}

/** Whether a word, in whatever form, is a verb more often than anything else: "deliver", "sold"; not "film". */
export function isMostlyVerb(lower: string): boolean {
  const [base] = baseForms(lemmaOf(lower));
  return base !== undefined && hasField(base, 'verb');
}

/** Whether a word is but the name of a place, a river or a person: "texas", "mozart"; not "swift", "kenyan". */
export function isOnlyName(lower: string): boolean {
  return hasField(lower, 'name');
}

/** Other names of what a name stands for, its adjective and its people, and what lies in it: "deutschland" → germany, german, berlin. */
export function namesOfSame(lower: string): readonly string[] {
  const place = placeOf(lower);
  const { named, names } = english();
  if (place === undefined || named[place] === 0) return [];
  let line = 0;
  for (let before = 0; before < place; before++) line += named[before]!;
  return names()
    [line]!.split(' ')
    .map((name) => name.replaceAll('_', ' '));
}

/**
 * Words that share a usual sense with a word in its base form, are one step broader or narrower, or derived from it: the likeliest first, of
 * those the most usual.
 */
export function englishRelations(word: string): EnglishRelation[] {
  const place = placeOf(word);
  if (place === undefined) return [];
  const { rarity, related } = english();
  const { starts, others, kinds } = related();
  return [...others.subarray(starts[place], starts[place + 1])]
    .map((packed) => ({ other: packed & PLACE_MASK, ...kinds[packed >> PLACE_BITS]! }))
    .sort((a, b) => b.weight - a.weight || rarity[a.other]! - rarity[b.other]! || a.other - b.other)
    .slice(0, MOST_RELATED)
    .map(({ other, relation, weight }) => ({ word: wordAt(other), weight, relation }));
}

/** The words that a form may be one of, in their base form: "purchased" → purchase, "stopping" → stop. */
export function baseForms(lower: string): string[] {
  const stripped = SUFFIXES.flatMap(([suffix, ...ends]) =>
    lower.endsWith(suffix) && lower.length > suffix.length + 2
      ? ends.map((end) => lower.slice(0, -suffix.length) + end)
      : [],
  );
  // "stopped" → stop
  const single = stripped.flatMap((word) => (/([bdfglmnprt])\1$/.test(word) ? [word.slice(0, -1)] : []));
  const forms = [lower, ...stripped, ...single].filter(isEnglish);
  return [...new Set(forms)];
}

const SUFFIXES: readonly (readonly [suffix: string, ...ends: string[]])[] = [
  ['ies', 'y'],
  ['es', '', 'e'],
  ['s', ''],
  ['ied', 'y'],
  ['ed', 'e', ''],
  ['ing', 'e', ''],
  ['men', 'man'],
];

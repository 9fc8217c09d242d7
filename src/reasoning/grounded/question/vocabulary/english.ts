/** General English words and what they are related to: WordNet in one file, read at the first look-up. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { CandorError } from '../../../../errors.ts';
import { lemmaOf } from '../../../../language/index.ts';

/** `broader`: "vocalist" → musician; `narrower`: "performer" → actor; `derived`: "buyer" → buy. */
export type Relation = 'synonym' | 'broader' | 'narrower' | 'derived';

export interface EnglishRelation {
  readonly word: string;
  /** In (0, 1]: how likely the one is meant by the other, by how usual the shared senses are. */
  readonly weight: number;
  readonly relation: Relation;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  s: 'synonym',
  b: 'broader',
  n: 'narrower',
  d: 'derived',
};

/** Written by `scripts/build-vocabulary.mjs`. */
const FILE = new URL('./data/words.br', import.meta.url);

let text: string | undefined;

/** A line for each word, by the alphabet: the word, how rare it is and what kind of word, what it is related to, what the same is named. Searched as it stands: splitting it takes longer. */
function english(): string {
  text ??= readText();
  return text;
}

/** Lines that were looked up: a question and the names of a schema are asked about over and over. */
const LOOKED_UP = new Map<string, readonly string[] | undefined>();
const MOST_LOOKED_UP = 4_000;

/** The line of a word, in parts; absent for a word that is not there. */
function lineOf(word: string): readonly string[] | undefined {
  if (!/^[a-z]{3,20}$/.test(word)) return undefined;
  if (LOOKED_UP.has(word)) return LOOKED_UP.get(word);
  const line = findLine(word);
  if (LOOKED_UP.size === MOST_LOOKED_UP) LOOKED_UP.clear();
  LOOKED_UP.set(word, line);
  return line;
}

function findLine(word: string): readonly string[] | undefined {
  const all = english();
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = all.lastIndexOf('\n', (low + high) >> 1) + 1;
    const start = middle < low ? low : middle;
    const end = all.indexOf('\n', start);
    const space = all.indexOf(' ', start);
    const here = all.slice(start, space);
    if (here === word) return all.slice(space + 1, end).split(' ');
    if (here < word) low = end + 1;
    else high = start;
  }
  return undefined;
}

function readText(): string {
  try {
    return brotliDecompressSync(readFileSync(FILE)).toString('latin1');
  } catch (cause) {
    throw new CandorError('engine.model-missing', `${fileURLToPath(FILE)} cannot be read`, { cause });
  }
}

/** Whether a word in its base form is one of general English. */
export function isEnglish(word: string): boolean {
  return lineOf(word) !== undefined;
}

/** Logarithm of how many words are used more often; absent for a word that is not English. */
export function rarityOf(word: string): number | undefined {
  const rarity = lineOf(word)?.[0];
  return rarity === undefined ? undefined : Number.parseInt(rarity, 10) / 10;
}

/**
 * What a word is in its most used sense: a noun for a person or for a group of them; a verb that only says that something is or is made, one of
 * what somebody does with something (they own, organise or win it), one of going somewhere.
 */
export type WordField = 'person' | 'group' | 'being' | 'making' | 'deed' | 'motion';

const FIELDS: Readonly<Record<WordField, string>> = {
  person: 'p',
  group: 'g',
  being: 'c',
  making: 'k',
  deed: 't',
  motion: 'm',
};

/** Whether a form has a base whose most used sense is in the field; "sung" is one of sing. */
export function isInField(lower: string, field: WordField): boolean {
  const bases = new Set([...baseForms(lower), ...baseForms(lemmaOf(lower))]);
  return [...bases].some((base) => lineOf(base)?.[0]?.includes(FIELDS[field]));
}

/** Whether a word, in whatever form, is a verb more often than anything else: "deliver", "sold"; not "film". */
export function isMostlyVerb(lower: string): boolean {
  const [base] = baseForms(lemmaOf(lower));
  return base !== undefined && lineOf(base)?.[0]?.includes('v') === true;
}

/** Whether a word is but the name of a place, a river or a person: "texas", "mozart"; not "swift", "kenyan". */
export function isOnlyName(lower: string): boolean {
  return lineOf(lower)?.[0]?.includes('i') === true;
}

/** Other names of what a name stands for, its adjective and its people, and what lies in it: "deutschland" → germany, german, berlin. */
export function namesOfSame(lower: string): readonly string[] {
  return (lineOf(lower) ?? [])
    .filter((entry) => entry.endsWith('='))
    .map((entry) => entry.slice(0, -1).replaceAll('_', ' '));
}

/** Words that share a usual sense with a word in its base form, are one step broader or narrower, or derived from it. */
export function englishRelations(word: string): EnglishRelation[] {
  return (lineOf(word) ?? []).slice(1).flatMap((entry) => {
    const [, other, kind, hundredths] = /^([a-z]+)([sbnd])(\d+)$/.exec(entry) ?? [];
    const relation = kind === undefined ? undefined : RELATIONS[kind];
    return other === undefined || relation === undefined
      ? []
      : [{ word: other, weight: Number(hundredths) / 100, relation }];
  });
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

/** General English words and what they are related to: WordNet in one file, read at the first look-up. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { CandorError } from '../../../errors.ts';

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
const FILE = new URL('./data/words.gz', import.meta.url);

let text: string | undefined;

/** A line for each word, the most used first, behind a line break: the word and what it is related to. Looked up as it stands: splitting it takes longer. */
function english(): string {
  text ??= `\n${readText()}`;
  return text;
}

function placeOf(word: string): number {
  if (!/^[a-z]{3,20}$/.test(word)) return -1;
  const followed = english().indexOf(`\n${word} `);
  return followed === -1 ? english().indexOf(`\n${word}\n`) : followed;
}

function readText(): string {
  try {
    return gunzipSync(readFileSync(FILE)).toString('latin1');
  } catch (cause) {
    throw new CandorError('engine.model-missing', `${fileURLToPath(FILE)} cannot be read`, { cause });
  }
}

/** Whether a word in its base form is one of general English. */
export function isEnglish(word: string): boolean {
  return placeOf(word) !== -1;
}

/** How common a word is: the smaller, the more often it is used; absent for one that is none. */
export function rarityOf(word: string): number | undefined {
  const place = placeOf(word);
  return place === -1 ? undefined : place;
}

/** Words that share a usual sense with a word in its base form, are one step broader or narrower, or derived from it. */
export function englishRelations(word: string): EnglishRelation[] {
  const place = placeOf(word);
  if (place === -1) return [];
  const line = english().slice(place + 1, english().indexOf('\n', place + 1));
  return line
    .split(' ')
    .slice(1)
    .flatMap((entry) => {
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

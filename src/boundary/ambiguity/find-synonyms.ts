import type { Catalog } from '../../catalog/index.ts';
import { nameWords, stemOf, synonymsOf } from '../../language/index.ts';
import type { AskedWord } from './asked-words.ts';

/** A part of a question that two or more things of a schema fit equally well. */
export interface AmbiguousPart {
  /** The words of the question, as written. */
  readonly phrase: string;
  /** Where they stand: UTF-16 offsets, the end exclusive. */
  readonly span: { readonly start: number; readonly end: number };
  readonly kind: 'column' | 'table' | 'join-path' | 'aggregate';
  /** Two to five ways of reading it; the ids are those of the catalog. */
  readonly choices: readonly AmbiguousChoice[];
}

interface AmbiguousChoice {
  /** What a person is shown. */
  readonly label: string;
  readonly ids: readonly string[];
}

/** How alike two texts are in meaning, in [−1, 1]; texts are words in lower case with blanks between. */
export type Likeness = (left: string, right: string) => number;

/** Set by reason, not fitted: half of a phrase must be there, and what differs must be near to a known synonym. */
const LEAST_PAIR = 0.6;
const LEAST_FIT = 0.5;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly words: string;
  /** Stems in order. */
  readonly stems: readonly string[];
}

interface Phrase {
  readonly words: string;
  readonly stems: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Pairs of columns of one table, and pairs of tables, that mean the same and that one phrase of the question fits. */
export function findSynonyms(
  question: string,
  asked: readonly AskedWord[],
  catalog: Catalog,
  likeness: Likeness = () => 0,
): readonly AmbiguousPart[] {
  const phrases = phrasesOf(asked);
  return groupsOf(catalog).flatMap(({ kind, items }) => {
    const fits = new Map(items.map((item) => [item, phrases.map((phrase) => fitOf(phrase, item, likeness))]));
    const fitting = items.filter((item) => fits.get(item)?.some((fit) => fit >= LEAST_FIT));
    return pairsOf(fitting).flatMap(([left, right]): AmbiguousPart[] => {
      const [ofLeft, ofRight] = [fits.get(left) ?? [], fits.get(right) ?? []];
      const at = bestAt(ofLeft, ofRight);
      const phrase = phrases[at];
      if (phrase === undefined || Math.min(ofLeft[at] ?? 0, ofRight[at] ?? 0) < LEAST_FIT) return [];
      if (sameMeaning(left, right, likeness) < LEAST_PAIR) return [];
      const { start, end } = phrase;
      const choices = [left, right].map(({ id, name }) => ({ label: name, ids: [id] }));
      return [{ phrase: question.slice(start, end), span: { start, end }, kind, choices }];
    });
  });
}

interface Group {
  readonly kind: 'column' | 'table';
  readonly items: readonly Named[];
}

/** A schema is asked many questions; its names are read once. */
const read = new WeakMap<Catalog, readonly Group[]>();

function groupsOf(catalog: Catalog): readonly Group[] {
  const known = read.get(catalog);
  if (known !== undefined) return known;
  const keyed = new Set(
    catalog.foreignKeys.flatMap(({ fromColumns, toColumns }) => [...fromColumns, ...toColumns]),
  );
  const groups: readonly Group[] = [
    { kind: 'table', items: catalog.tables.map(named) },
    ...catalog.tables.map(({ columns }) => ({
      kind: 'column' as const,
      items: columns.filter(({ id }) => !keyed.has(id)).map(named),
    })),
  ];
  read.set(catalog, groups);
  return groups;
}

function named({ id, name }: { readonly id: string; readonly name: string }): Named {
  const words = nameWords(name);
  return { id, name, words: words.join(' '), stems: words.map(stemOf) };
}

const EMPTY = new Set(
  'a an the of in on at by for to and or is are was were be with from what which who whose how many much all each every show list give find me return that have has do does did there their its it than more less not'.split(
    ' ',
  ),
);

function phrasesOf(asked: readonly AskedWord[]): readonly Phrase[] {
  return asked.flatMap((word, at) => {
    if (EMPTY.has(word.lower)) return [];
    const next = asked[at + 1];
    const runs = next === undefined || EMPTY.has(next.lower) ? [[word]] : [[word], [word, next]];
    return runs.map((run) => ({
      words: run.map(({ lower }) => lower).join(' '),
      stems: run.map(({ stem }) => stem),
      start: word.start,
      end: run.at(-1)?.end ?? word.end,
    }));
  });
}

function fitOf(phrase: Phrase, item: Named, likeness: Likeness): number {
  return Math.max(byWords(phrase.stems, item.stems), likeness(phrase.words, item.words));
}

/** 1: the same words; 0.9: a synonym we know; else how many of the words of both they share. */
function byWords(left: readonly string[], right: readonly string[]): number {
  const joined = right.join(' ');
  if (left.join('') === right.join('')) return 1;
  if (synonymsOf(left).some((other) => other.join(' ') === joined)) return 0.9;
  const shared = left.filter((stem) => right.includes(stem)).length;
  return shared / (left.length + right.length - shared);
}

/** What two names have in common says nothing of whether they mean the same: `start date` and `end date` do not. */
function sameMeaning(left: Named, right: Named, likeness: Likeness): number {
  const [own, other] = [unshared(left, right), unshared(right, left)];
  if (own.words === '' || other.words === '') return 0;
  return Math.max(byWords(own.stems, other.stems), likeness(own.words, other.words));
}

function unshared(item: Named, beside: Named): Pick<Named, 'words' | 'stems'> {
  const words = item.words.split(' ').filter((_, at) => !beside.stems.includes(item.stems[at] ?? ''));
  return { words: words.join(' '), stems: words.map(stemOf) };
}

function pairsOf(items: readonly Named[]): readonly (readonly [Named, Named])[] {
  return items.flatMap((left, at) => items.slice(at + 1).map((right) => [left, right] as const));
}

function bestAt(left: readonly number[], right: readonly number[]): number {
  let best = -1;
  for (let at = 0; at < left.length; at += 1)
    if (best < 0 || least(left, right, at) > least(left, right, best)) best = at;
  return best;
}

function least(left: readonly number[], right: readonly number[], at: number): number {
  return Math.min(left[at] ?? 0, right[at] ?? 0);
}

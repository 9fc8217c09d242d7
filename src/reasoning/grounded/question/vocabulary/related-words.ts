import { splitName, stemOf, synonymsOfWord } from '../../../../language/index.ts';
import { BoundedMap } from '../../../../lib/index.ts';
import { abbreviates, shortForms } from './abbreviations.ts';
import { baseForms, englishRelations, type Relation } from './english.ts';

/** A word that may mean the same as another. */
export interface RelatedWord {
  /** In lower case; a synonym of two words has a space. */
  readonly word: string;
  /** In (0, 1]: how likely who says the one means the other. */
  readonly weight: number;
  readonly why: 'inflection' | 'synonym' | 'abbreviation' | `english ${Relation}`;
}

const INFLECTED = 0.95;
const SPELT_OUT = 0.95;
/** Synonyms that we wrote down ourselves. */
const WRITTEN = 0.86;
/** A word of general English has senses that no database knows: always below what we wrote down. */
const ENGLISH = 0.9;

const memory = new BoundedMap<string, readonly RelatedWord[]>(5_000);

/** Words that a word of a question may stand for, the likeliest first: inflection, our synonyms, short forms, then general English. */
export function relatedWords(word: string): readonly RelatedWord[] {
  return memory.getOrMake(word.toLowerCase(), findRelated);
}

/** How two words mean the same, a word of a question and one of a name, either way; absent when nothing says that they do. */
export function relationBetween(word: string, part: string): RelatedWord | undefined {
  const [lower, other] = [word.toLowerCase(), part.toLowerCase()];
  if (stemOf(lower) === stemOf(other)) return { word: other, weight: 1, why: 'inflection' };
  // `qty`, `dept`: spelt out wherever a name is split.
  if (splitName(other).map(stemOf).join(' ') === stemOf(lower))
    return { word: other, weight: SPELT_OUT, why: 'abbreviation' };
  const short = Math.max(abbreviates(other, lower), abbreviates(lower, other));
  const abbreviated: RelatedWord[] = short > 0 ? [{ word: other, weight: short, why: 'abbreviation' }] : [];
  const stem = stemOf(other);
  const forth = relatedWords(lower).filter((one) => stemOf(one.word) === stem);
  const back = relatedWords(other)
    .filter((one) => stemOf(one.word) === stemOf(lower))
    .map((one) => ({ ...one, word: other }));
  return [...abbreviated, ...forth, ...back].sort((a, b) => b.weight - a.weight)[0];
}

function findRelated(lower: string): RelatedWord[] {
  const found = new Map<string, RelatedWord>();
  const add = (word: string, weight: number, why: RelatedWord['why']): void => {
    if (word === lower || (found.get(word)?.weight ?? 0) >= weight) return;
    found.set(word, { word, weight, why });
  };
  const bases = baseForms(lower);
  for (const base of bases) add(base, INFLECTED, 'inflection');
  for (const word of [lower, ...bases]) {
    for (const synonym of synonymsOfWord(word)) add(synonym, WRITTEN, 'synonym');
    for (const short of shortForms(word)) add(short, abbreviates(short, word), 'abbreviation');
  }
  for (const base of bases)
    for (const { word, weight, relation } of englishRelations(base))
      add(word, weight * ENGLISH * (base === lower ? 1 : INFLECTED), `english ${relation}`);
  return [...found.values()].sort((a, b) => b.weight - a.weight);
}

import {
  type GroundedKnowledge,
  lemmaOf,
  namesOfSame,
  relatedWords,
  relationBetween,
  splitName,
} from '../../reasoning/index.ts';
import type { AbsenceSources } from './absence-sources.ts';
import type { NearName } from './near-name.ts';
import { otherForms } from './other-forms.ts';
import { searchNames } from './search-names.ts';
import { isOtherSpelling, nearValue, searchStored, searchValues } from './search-values.ts';

/** From here on a relation of general English is worth a mention. */
const LEAST = 0.4;
const MOST_WORDS = 12;
const MOST_NEAR = 5;

/**
 * Names and stored values that are related to a word: it is spelt as elsewhere (“colour”), an acronym in the plural (“CVs”), of one
 * family or meaning by the general lexicon (“failed”, “shoppers”), a slip (“adresses”), or another name of the same (“Deutschland”).
 */
export function searchRelated(word: string, sources: AbsenceSources): readonly NearName[] {
  const lower = word.toLowerCase();
  const { knowledge } = sources;
  const related = [
    ...relatedWords(lower)
      .filter(({ weight }) => weight >= LEAST)
      .slice(0, MOST_WORDS)
      .map((one) => one.word),
    ...slipsOf(lower, knowledge),
    ...kinOf(lower, knowledge),
  ];
  const found = [
    ...otherForms(word).flatMap((form) => [
      ...searchNames(form.toLowerCase().split(' '), knowledge),
      ...searchValues(form, sources),
    ]),
    ...[...new Set(related)].flatMap((form) => [
      ...searchNames(form.split(' '), knowledge).filter(({ how }) => how === 'same' || how === 'plural'),
      ...searchStored(form, sources),
    ]),
    ...searchSame(lower, sources),
  ];
  return found.slice(0, MOST_NEAR).map((near) => ({ ...near, how: 'related' }));
}

/** Stored values that are another name of the same: there may be many names, and of each only the index is asked. */
function searchSame(lower: string, { knowledge, values }: AbsenceSources): readonly NearName[] {
  return namesOfSame(lower)
    .flatMap((name) => values.lookup(name))
    .map(({ columnId, value }) => nearValue(columnId, value, 'related', knowledge));
}

/** Words of names that the word is a slip of, in its base form as well. */
function slipsOf(lower: string, { names }: GroundedKnowledge): readonly string[] {
  const lemma = lemmaOf(lower);
  return lemma === lower ? [] : [...names.vocabulary].filter((name) => isOtherSpelling(lemma, name));
}

const KIN = new WeakMap<GroundedKnowledge['catalog'], readonly string[]>();

/** Words of names that mean something like the word. */
function kinOf(lower: string, { catalog }: GroundedKnowledge): readonly string[] {
  const known = KIN.get(catalog) ?? wordsOfNames(catalog);
  KIN.set(catalog, known);
  return known.filter((part) => (relationBetween(lower, part)?.weight ?? 0) >= LEAST);
}

function wordsOfNames({ tables }: GroundedKnowledge['catalog']): readonly string[] {
  const names = tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
  return [...new Set(names.flatMap(splitName))].filter((part) => part.length > 2);
}

import { queryTerms } from '../../knowledge/search/index.ts';
import { lemmaOf, splitName } from '../../language/index.ts';
import type { GroundedKnowledge } from '../../reasoning/grounded/index.ts';
import {
  namesOfSame,
  relatedWords,
  relationBetween,
} from '../../reasoning/grounded/question/vocabulary/index.ts';
import {
  type AbsenceSources,
  isOtherSpelling,
  isSkeleton,
  type Likeness,
  type NearName,
  nearValue,
  searchStored,
  searchValues,
  shownColumn,
  shownTable,
  sortNear,
  spoken,
} from './search-values.ts';

/** Nothing has a longer name. */
const MOST_WORDS = 12;

export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’&./-]*/gu)?.slice(0, MOST_WORDS) ?? [];
}

/** Whatever is called like a text, or is related to it where nothing is. */
export function nearOf(text: string, sources: AbsenceSources): readonly NearName[] {
  if (text === '') return [];
  const words = wordsOf(text).map((word) => word.toLowerCase());
  const near = sortNear([
    ...searchNames(words, sources.knowledge),
    ...searchValues(text, sources),
    ...searchDescriptions(text, sources.knowledge),
  ]);
  return near.length > 0 ? near : sortNear(searchRelated(text, sources));
}

interface Described {
  readonly near: NearName;
  readonly terms: ReadonlySet<string>;
}

const KEPT = new WeakMap<
  GroundedKnowledge['catalog'],
  WeakMap<GroundedKnowledge['semantics'], readonly Described[]>
>();
const MOST = 3;

/** What people wrote of tables, columns and figures, where all the words stand in it. */
function searchDescriptions(text: string, { catalog, semantics }: GroundedKnowledge): readonly NearName[] {
  if (queryTerms(text).length === 0) return [];
  const asked = splitName(text);
  const known = KEPT.get(catalog)?.get(semantics);
  const described = known ?? describedThings({ catalog, semantics });
  if (known === undefined) {
    const ofCatalog = KEPT.get(catalog) ?? new WeakMap();
    KEPT.set(catalog, ofCatalog.set(semantics, described));
  }
  return described
    .filter(({ terms }) => asked.every((term) => terms.has(term)))
    .slice(0, MOST)
    .map(({ near }) => near);
}

function describedThings({
  catalog,
  semantics,
}: Pick<GroundedKnowledge, 'catalog' | 'semantics'>): readonly Described[] {
  const one = (name: string, shown: string, what: string, texts: readonly (string | undefined)[]) => {
    const written = texts.filter((text) => text !== undefined && text !== '').join('\n');
    if (written === '') return [];
    const near: NearName = { text: name, shown, what, how: 'description' };
    return [{ near, terms: new Set(splitName(written)) }];
  };
  const { datasets, metrics, dimensions, fields = [] } = semantics;
  return [
    ...metrics.flatMap(({ name, description }) => one(name, name, 'a figure', [description])),
    ...dimensions.flatMap(({ name, description }) => one(name, name, 'a dimension', [description])),
    ...catalog.tables.flatMap((table) => [
      ...one(spoken(table.name), table.name, 'a table', [
        table.comment,
        ...datasets.filter((dataset) => dataset.table === table.id).map(({ description }) => description),
      ]),
      ...table.columns.flatMap((column) =>
        one(spoken(column.name), `${table.name}.${column.name}`, `a column of ${table.name}`, [
          column.comment,
          ...fields
            .filter((field) => field.column === column.id)
            .flatMap(({ name, synonyms, description }) => [name, ...synonyms, description]),
        ]),
      ),
    ]),
  ];
}

/** From here on a relation of general English is worth a mention. */
const LEAST = 0.4;
const MOST_RELATED = 12;
const MOST_NEAR = 5;

/**
 * Names and stored values that are related to a word: it is spelt as elsewhere (“colour”), an acronym in the plural (“CVs”), of one
 * family or meaning by the general lexicon (“failed”, “shoppers”), a slip (“adresses”), or another name of the same (“Deutschland”).
 */
function searchRelated(word: string, sources: AbsenceSources): readonly NearName[] {
  const lower = word.toLowerCase();
  const { knowledge } = sources;
  const related = [
    ...relatedWords(lower)
      .filter(({ weight }) => weight >= LEAST)
      .slice(0, MOST_RELATED)
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

/** Each the other's British or American spelling, at the end of a word or within it. */
const SPELLINGS: readonly (readonly [
  british: RegExp,
  american: string,
  american: RegExp,
  british: string,
])[] = [
  [/our/, 'or', /or(?!e)/, 'our'],
  [/is(?=e[drs]?$|ing$|ations?$)/, 'iz', /iz(?=e[drs]?$|ing$|ations?$)/, 'is'],
  [/ys(?=e[drs]?$|ing$)/, 'yz', /yz(?=e[drs]?$|ing$)/, 'ys'],
  [/re(?=s?$)/, 'er', /er(?=s?$)/, 're'],
  [/ogue(?=s?$)/, 'og', /og(?=s?$)/, 'ogue'],
  [/ll(?=ed$|ing$|ers?$)/, 'l', /l(?=ed$|ing$|ers?$)/, 'll'],
  [/ence(?=s?$)/, 'ense', /ense(?=s?$)/, 'ence'],
  [/que(?=s?$)/, 'ck', /ck(?=s?$)/, 'que'],
  [/mme(?=s?$)/, 'm', /m(?=s?$)/, 'mme'],
  [/yre(?=s?$)/, 'ire', /ire(?=s?$)/, 'yre'],
  [/ae|oe/, 'e', /^$/, ''],
];
const SHORTEST = 4;

/** How a word may be written on the other side of the ocean: “colour” → color, “organization” → organisation. */
export function otherSpellingsOf(lower: string): readonly string[] {
  if (lower.length < SHORTEST) return [];
  const written = SPELLINGS.flatMap(([british, toAmerican, american, toBritish]) => [
    lower.replace(british, toAmerican),
    lower.replace(american, toBritish),
  ]);
  return [...new Set(written)].filter((form) => form !== lower);
}

/** “CVs” → CV. */
export function singularAcronym(word: string): string | undefined {
  return /^\p{Lu}{2,}(?=[’']?s$)/u.exec(word)?.[0];
}

/** The same word written otherwise: “colour”, “CVs”, “hip-hop”. */
function otherForms(word: string): readonly string[] {
  const acronym = singularAcronym(word);
  return [
    ...otherSpellingsOf(word.toLowerCase()),
    ...(acronym === undefined ? [] : [acronym]),
    ...(word.includes('-') ? [word.replaceAll('-', ' ')] : []),
  ];
}

type Named = ReturnType<GroundedKnowledge['names']['match']>[number];

/** From here on the words are the name; below it they are a part of it: “type” of `dealer_type`. */
const WHOLE_NAME = 0.95;
const MOST_SPELLINGS = 3;

/** Tables, columns, figures and dimensions that the words name, or would if they were spelt otherwise. */
function searchNames(words: readonly string[], knowledge: GroundedKnowledge): readonly NearName[] {
  const direct = knowledge.names.match(words).map((noun) => named(noun, likenessOf(noun), knowledge));
  const [only] = words;
  if (only === undefined || words.length > 1 || direct.some(({ how }) => how === 'same')) return direct;
  const spelt = [...knowledge.names.vocabulary]
    .filter((word) => isOtherSpelling(only, word))
    .slice(0, MOST_SPELLINGS)
    .flatMap((word) => knowledge.names.match([word]))
    .filter((noun) => likenessOf(noun) === 'same')
    .map((noun) => named(noun, 'spelling', knowledge));
  return [...direct, ...spelt, ...akin(only, knowledge)];
}

/** Names with a word that is akin: `delivered_at` for “deliveries”, `svc_lvl` for “service”. */
function akin(word: string, { catalog }: GroundedKnowledge): readonly NearName[] {
  const isIn = (name: string): boolean => partsOf(name).some((part) => isAkin(word, part));
  const tables = catalog.tables.filter(({ name }) => isIn(name));
  const columns = catalog.tables.flatMap((table) =>
    table.columns
      .filter(({ name }) => isIn(name))
      .map(
        (column): NearName => ({
          ...{ text: spoken(column.name), shown: `${table.name}.${column.name}`, how: 'part' },
          what: `a column of ${table.name}`,
        }),
      ),
  );
  return [
    ...tables.map(
      ({ name }): NearName => ({ text: spoken(name), shown: name, what: 'a table', how: 'part' }),
    ),
    ...columns,
  ];
}

function partsOf(name: string): readonly string[] {
  return spoken(name).split(/[^\p{L}\p{N}]+/u);
}

const SHORTEST_STEM = 5;
const LONGEST_ENDING = 4;

/** Two words with one beginning, or a word and its consonants: what may be related is not told to be absent. */
function isAkin(word: string, part: string): boolean {
  if (word.length < 4 || part.length < 3 || word[0] !== part[0]) return false;
  let shared = 0;
  while (shared < Math.min(word.length, part.length) && word[shared] === part[shared]) shared++;
  const ending = Math.max(word.length, part.length) - shared;
  if (shared >= SHORTEST_STEM && ending <= LONGEST_ENDING) return true;
  return part.length < word.length && (shared === part.length || isSkeleton(word, part));
}

function likenessOf({ score, why }: Named): Likeness {
  if (/^synonym of (?:name|synonym|comment) of /.test(why)) return 'synonym';
  if (why.startsWith('comment of ')) return 'description';
  return score >= WHOLE_NAME && /^(?:name|synonym) of /.test(why) ? 'same' : 'part';
}

function named({ kind, id, tableId }: Named, how: Likeness, { catalog }: GroundedKnowledge): NearName {
  switch (kind) {
    case 'table': {
      const name = shownTable(id, catalog);
      return { text: spoken(name), shown: name, what: 'a table', how };
    }
    case 'column': {
      const name = shownColumn(id, catalog);
      const own = spoken(name.slice(name.indexOf('.') + 1));
      return { text: own, shown: name, what: `a column of ${shownTable(tableId, catalog)}`, how };
    }
    case 'metric':
      return { text: id, shown: id, what: 'a figure', how };
    case 'dimension':
      return { text: id, shown: id, what: 'a dimension', how };
  }
}

/** The tables a question may need, from words, names and vectors; one entry for a family of equal tables. */
import type { SearchHit, SearchStore } from '../../search/search-store.ts';
import { indexTerms, queryTerms } from '../../search/search-terms.ts';
import type { RetrievalSettings } from '../settings/retrieval-settings.ts';
import type { Found, FoundTable } from '../settings/retrieved.ts';
import { compoundWords, contentWords } from '../words/question-words.ts';
import { timeMentions } from '../words/time-mentions.ts';
import { type ChosenMembers, chooseMembers, databaseOf } from './choose-members.ts';
import { type RankedFamily, rankTables, type TableSigns } from './rank-tables.ts';
import type { TableFamily } from './table-families.ts';
import { namedTables, type TableIndex } from './table-index.ts';

export interface TableStanding {
  readonly isCertified: boolean;
  readonly isDeprecated: boolean;
  readonly popularity: number;
}

export interface QuestionVector {
  readonly modelId: string;
  /** Of unit length. */
  readonly vector: Float32Array;
}

export interface TableSources {
  readonly store: SearchStore;
  readonly tables: TableIndex;
  readonly standing: (tableId: string) => TableStanding;
}

export interface TableRequest {
  readonly question: string;
  /** Absent: vectors are not asked. */
  readonly vector?: QuestionVector;
  /** Canonical ids; tables that the question names are found outside of it too. */
  readonly scope?: ReadonlySet<string>;
}

export interface TablesFound {
  /** Best first, `settings.tables.most` at most. */
  readonly tables: readonly Found<FoundTable>[];
  /** Families that were ranked. */
  readonly total: number;
}

/** Ranks the tables of the scope. Throws what the store throws. */
export async function searchTables(
  request: TableRequest,
  sources: TableSources,
  settings: RetrievalSettings,
): Promise<TablesFound> {
  const text = searchText(request.question, sources.tables.isNameWord);
  const query = {
    kinds: ['table'],
    limit: settings.tables.pool,
    perContent: 1,
    ...scopeOf(request),
  } as const;
  const [words, near] = await Promise.all([
    sources.store.searchWords(text, query),
    request.vector === undefined
      ? []
      : sources.store.searchVectors(request.vector.modelId, request.vector.vector, query),
  ]);
  return rankFound({ words, near, terms: queryTerms(text) }, request, sources, settings);
}

/** The words of a question that tables are looked up by. */
export function searchText(question: string, isNameWord: (word: string) => boolean): string {
  return [...contentWords(question), ...compoundWords(question, isNameWord)].join(' ');
}

/** Ranks the families of what was found, and chooses the members that the question is about. */
export function rankFound(
  hits: Hits,
  request: TableRequest,
  sources: Omit<TableSources, 'store'>,
  settings: RetrievalSettings,
): TablesFound {
  const { question } = request;
  const signs = gatherSigns(hits, request, sources, settings);
  const ranking = rankTables(signs, settings.tables);
  const wishes = {
    periods: timeMentions(question),
    marks: new Set(question.toLowerCase().match(/\p{N}+|\p{L}+/gu) ?? []),
    strengthOf: ranking.strengthOf,
  };
  const isInScope = scopeTest(request);
  const tables = ranking.families.slice(0, settings.tables.most).map((ranked) => {
    const { family, isNamed } = ranked.signs;
    const inScope = family.members.filter(({ table }) => isNamed || isInScope(table.id));
    const chosen = chooseMembers(inScope, wishes);
    return foundTable(ranked, chosen, hits.terms, settings);
  });
  return { tables: tables.filter((found) => found !== undefined), total: signs.length };
}

type Hit = Pick<SearchHit, 'id' | 'score'>;

export interface Hits {
  readonly words: readonly Hit[];
  readonly near: readonly Hit[];
  readonly terms: readonly string[];
}

/**
 * Up to here every family of the scope is ranked: one without a word of the question may be the join table of the schema
 * that fits best. Beyond it only those with a sign of their own are, which keeps time in bounds.
 */
const ALL_FAMILIES = 5_000;

function gatherSigns(
  { words, near, terms }: Hits,
  request: TableRequest,
  sources: Omit<TableSources, 'store'>,
  { useNames, usePopularity }: RetrievalSettings,
): TableSigns[] {
  const { tables, standing } = sources;
  const isInScope = scopeTest(request);
  const isCandidate = (family: TableFamily): boolean =>
    family.members.some(({ table }) => isInScope(table.id));
  const wordsOf = bestByFamily(words, tables);
  const cosineOf = bestByFamily(near, tables);
  const namesOf = useNames ? tables.nameCoverage(terms) : new Map<TableFamily, number>();
  const named = new Set(namedTables(request.question, tables).map(({ id }) => id));
  const inScope = tables.families.filter(isCandidate);
  const withSign =
    inScope.length <= ALL_FAMILIES
      ? inScope
      : inScope.filter((family) => wordsOf.has(family) || cosineOf.has(family) || namesOf.has(family));
  const asked = [...named].flatMap((id) => tables.familyOf(id) ?? []);
  return [...new Set([...withSign, ...asked])].map((family) => {
    const standings = family.members.map(({ table }) => standing(table.id));
    return {
      family,
      words: wordsOf.get(family) ?? 0,
      names: namesOf.get(family) ?? 0,
      cosine: cosineOf.get(family) ?? 0,
      isNamed: family.members.some(({ table }) => named.has(table.id)),
      isCertified: standings.some(({ isCertified }) => isCertified),
      isDeprecated: standings.every(({ isDeprecated }) => isDeprecated),
      popularity: usePopularity ? Math.max(...standings.map(({ popularity }) => popularity)) : 0,
    };
  });
}

/**
 * The best hit of each family. Siblings without a hit of their own take it over: their texts may be one content, of
 * which the store gives one document.
 */
function bestByFamily(hits: readonly Hit[], tables: TableIndex): ReadonlyMap<TableFamily, number> {
  const best = new Map<TableFamily, number>();
  for (const { id, score } of hits) {
    const family = tables.familyOf(id);
    if (family !== undefined) best.set(family, Math.max(best.get(family) ?? 0, score));
  }
  for (const [family, score] of [...best])
    for (const sibling of tables.siblings(family)) if (!best.has(sibling)) best.set(sibling, score);
  return best;
}

function foundTable(
  ranked: RankedFamily,
  { members, namedCount }: ChosenMembers,
  terms: readonly string[],
  settings: RetrievalSettings,
): Found<FoundTable> | undefined {
  const [first] = members;
  if (first === undefined) return undefined;
  const { signs, score } = ranked;
  const { isCertified, isDeprecated, popularity } = signs;
  const shown = members.slice(0, Math.max(settings.tables.members, 1)).map(({ table }) => table.id);
  const family = { pattern: signs.family.pattern, members: shown, namedCount, total: members.length };
  return {
    item: {
      tableId: first.table.id,
      ...(members.length > 1 ? { family } : {}),
      isCertified,
      isDeprecated,
      popularity,
    },
    score,
    because: explainTable(signs, { members, namedCount }, terms),
  };
}

function scopeOf({ scope }: TableRequest): { readonly scope?: ReadonlySet<string> } {
  return scope === undefined ? {} : { scope };
}

function scopeTest({ scope }: TableRequest): (tableId: string) => boolean {
  return (tableId) => scope?.has(tableId) ?? true;
}

const SHOWN_COLUMNS = 3;
const SHOWN_DATABASES = 4;

/** Why a table was found, in short sentences for people, surest first; none where it merely stands beside others that fit. */
function explainTable(
  signs: TableSigns,
  { members, namedCount }: ChosenMembers,
  terms: readonly string[],
): readonly string[] {
  const table = members[0]?.table;
  if (table === undefined) return [];
  const asked = new Set(terms);
  const namedBy = indexTerms(table.name).filter((term) => asked.has(term));
  const columns = table.columns.filter(({ name }) => indexTerms(name).some((term) => asked.has(term)));
  const databases = [
    ...new Set(members.filter((member) => member.table.name === table.name).map(databaseOf)),
  ];
  const signsOfItsOwn = [
    signs.isNamed ? 'the question names it' : '',
    namedBy.length > 0 ? `its name has words of the question: ${[...new Set(namedBy)].join(', ')}` : '',
    columns.length > 0
      ? `its columns do: ${shortList(
          columns.map(({ name }) => name),
          SHOWN_COLUMNS,
        )}`
      : '',
    signs.words > 0 && columns.length === 0 ? 'its descriptions have words of the question' : '',
    signs.cosine > 0 ? `it is near the question in meaning (${signs.cosine.toFixed(2)})` : '',
    namedCount > 0
      ? `${namedCount} of ${members.length} tables ${signs.family.pattern} are of days, numbers or words in the question`
      : '',
  ].filter((text) => text !== '');
  if (signsOfItsOwn.length === 0) return [];
  const remarks = [
    namedCount === 0 && members.length > 1
      ? `the first of ${members.length} tables ${signs.family.pattern}`
      : '',
    databases.length > 1 ? `it stands in several databases: ${shortList(databases, SHOWN_DATABASES)}` : '',
    signs.isCertified ? 'people have certified it' : '',
    signs.isDeprecated ? 'people have marked it as deprecated' : '',
    signs.popularity > 0 ? `it is in use (popularity ${signs.popularity.toFixed(1)})` : '',
  ].filter((text) => text !== '');
  return [...signsOfItsOwn, ...remarks];
}

function shortList(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

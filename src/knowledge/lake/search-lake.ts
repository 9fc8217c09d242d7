/** The tables of a lake that a question may need: few are brought into memory, and ranked as those of a catalog are. */
import type { Table } from '../../catalog/index.ts';
import type { RetrievalSettings } from '../retrieve/settings/retrieval-settings.ts';
import {
  rankFound,
  searchText,
  type TableStanding,
  type TablesFound,
} from '../retrieve/tables/search-tables.ts';
import { indexTables, namesIn } from '../retrieve/tables/table-index.ts';
import { compoundWords } from '../retrieve/words/question-words.ts';
import { queryTerms } from '../search/search-terms.ts';
import type { LakeScope } from './lake-scope.ts';
import type { Lake } from './open-lake.ts';

export interface LakeRequest {
  readonly question: string;
  /** Tables that the question names are found outside of it too; absent: the whole lake. */
  readonly scope?: LakeScope;
}

export interface LakeSources {
  readonly lake: Lake;
  readonly standing: (tableId: string) => TableStanding;
}

/** Tables of one name that a question brings up; a name of more says little. */
const MOST_NAMED = 50;

/** Throws what the lake throws. */
export async function searchLake(
  { question, scope }: LakeRequest,
  { lake, standing }: LakeSources,
  settings: RetrievalSettings,
): Promise<TablesFound> {
  const compounds = new Set(await lake.areKnownWords(compoundWords(question, () => true)));
  const text = searchText(question, (word) => compounds.has(word));
  const terms = queryTerms(text);
  const named = new Map<string, readonly Table[]>();
  for (const name of namesIn(question)) named.set(name, await lake.named(name, MOST_NAMED));
  const { tables, inScope, words, rarity } = await lake.search({
    ...{ terms, scope, pool: settings.tables.pool },
    named: [...named.values()].flat().map(({ id }) => id),
  });
  const shapes = new Map(tables.map(({ id, shape }) => [id, shape]));
  const catalog = { database: '', dialect: 'sqlite', tables, foreignKeys: [], fingerprint: '' } as const;
  return rankFound(
    { words, near: [], terms },
    { question, scope: inScope },
    { tables: indexTables(catalog, { rarity, columnsKey: ({ id }) => shapes.get(id) ?? id }), standing },
    settings,
  );
}

import type { SearchHit, SearchStore } from '../search/search-store.ts';
import { indexTerms } from '../search/search-terms.ts';
import type { Asking } from './prepare-retrieval.ts';
import type { RetrievalSettings } from './settings/retrieval-settings.ts';
import type { Found, FoundColumn, FoundTable } from './settings/retrieved.ts';
import type { QuestionVector } from './tables/search-tables.ts';
import type { TableIndex } from './tables/table-index.ts';

/** A name that stands in many of the tables found stands for the best of them. */
const SETTLED_TABLES = 3;

/** Columns for the question, the hint and each keyword. */
export function questionColumns(asking: Asking): Promise<readonly Found<FoundColumn>[]> {
  const { request, sources, settings, keywords, vectors } = asking;
  const { question, hint, scope } = request;
  const { columns } = settings;
  const asked = (text: string, what: string, most: number): ColumnText => {
    const vector = vectors.get(text);
    return { text, what, most, ...(vector && { vector }) };
  };
  const texts = [
    asked(question, 'the question', columns.forQuestion),
    ...(hint ? [asked(hint, 'the hint', columns.forHint)] : []),
    ...keywords
      .slice(0, columns.keywords)
      .map((keyword) => asked(keyword, `\`${keyword}\``, columns.perKeyword)),
  ];
  const nameOf = (id: string): string | undefined => columnName(sources.tables, id);
  return findColumns({ texts, nameOf, ...(scope && { scope }) }, sources.store, settings);
}

/** The same columns, in the tables that were found. */
export function placeInTables(
  columns: readonly Found<FoundColumn>[],
  found: readonly Found<FoundTable>[],
  tables: TableIndex,
): readonly Found<FoundColumn>[] {
  const byName = new Map<string, string[]>();
  for (const { item } of found) {
    for (const { id, name } of tables.table(item.tableId)?.columns ?? []) {
      const known = byName.get(name.toLowerCase());
      if (known === undefined) byName.set(name.toLowerCase(), [id]);
      else if (known.length < SETTLED_TABLES) known.push(id);
    }
  }
  return placeColumns(columns, {
    nameOf: (id) => columnName(tables, id),
    columnsNamed: (name) => byName.get(name) ?? [],
  });
}

function columnName(tables: TableIndex, columnId: string): string | undefined {
  return tables.column(columnId)?.name;
}

// Columns that the question, its hint or one of its keywords may mean.

/** A text to find columns for. */
interface ColumnText {
  readonly text: string;
  /** How people are told: `the question`, `the hint`, `keyword revenue`. */
  readonly what: string;
  readonly most: number;
  readonly vector?: QuestionVector;
}

interface ColumnRequest {
  readonly texts: readonly ColumnText[];
  readonly scope?: ReadonlySet<string>;
  /** The name of a column as the catalog has it; absent: it is not there for this reader. */
  readonly nameOf: (columnId: string) => string | undefined;
}

/**
 * The best columns of each text, by words and by vectors from the least cosine on; one of each content, as `state` of
 * 300 tables is one find. Source: ThothAI, section 8.
 */
async function findColumns(
  { texts, scope, nameOf }: ColumnRequest,
  store: SearchStore,
  settings: RetrievalSettings,
): Promise<readonly Found<FoundColumn>[]> {
  const best = new Map<string, Found<FoundColumn>>();
  const least = settings.columns.leastCosine;
  const lists = await Promise.all(
    texts.map(async ({ text, most, vector, what }) => {
      const query = { kinds: ['column'], limit: most, perContent: 1, ...(scope && { scope }) } as const;
      const [words, near] = await Promise.all([
        settings.useNames ? store.searchWords(text, query) : [],
        vector === undefined ? [] : store.searchVectors(vector.modelId, vector.vector, query),
      ]);
      return {
        what,
        hits: [...byWords(text, words, { nameOf, least }), ...byVectors(near, least)],
        most,
      };
    }),
  );
  for (const { what, hits, most } of lists) {
    const ranked = hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const kept = new Set<string>();
    for (const { id, score, because } of ranked) {
      if (nameOf(id) === undefined || (kept.size >= most && !kept.has(id))) continue;
      kept.add(id);
      const known = best.get(id);
      const reasons = [...new Set([...(known?.because ?? []), `${because} ${what}`])];
      best.set(id, { item: { columnId: id }, score: Math.max(score, known?.score ?? 0), because: reasons });
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.item.columnId < b.item.columnId ? -1 : 1));
}

interface RatedHit {
  readonly id: string;
  readonly score: number;
  readonly because: string;
}

/** The share of the name that the text has; found by its description alone, it counts as little as the least cosine. */
function byWords(
  text: string,
  hits: readonly SearchHit[],
  { nameOf, least }: { readonly nameOf: ColumnRequest['nameOf']; readonly least: number },
): RatedHit[] {
  const terms = new Set(indexTerms(text));
  const highest = hits[0]?.score ?? 1;
  return hits.map(({ id, score }) => {
    const name = indexTerms(nameOf(id) ?? '');
    const share = name.filter((term) => terms.has(term)).length / Math.max(1, name.length);
    if (share > 0) return { id, score: share, because: 'its name has words of' };
    return { id, score: (least * score) / highest, because: 'its description has words of' };
  });
}

function byVectors(hits: readonly SearchHit[], least: number): RatedHit[] {
  return hits
    .filter(({ score }) => score >= least)
    .map(({ id, score }) => ({ id, score, because: `it is near in meaning (${score.toFixed(2)}) to` }));
}

/**
 * Columns of the tables that were found stand in for those of equal name elsewhere: `state` of the table in question,
 * not of the first of 300. Columns of other tables stay as they are; they may be why a table is missing.
 */
function placeColumns(
  columns: readonly Found<FoundColumn>[],
  placed: {
    readonly nameOf: ColumnRequest['nameOf'];
    readonly columnsNamed: (name: string) => readonly string[];
  },
): readonly Found<FoundColumn>[] {
  const settled = new Map<string, Found<FoundColumn>>();
  for (const found of columns) {
    const name = placed.nameOf(found.item.columnId) ?? '';
    const own = placed.columnsNamed(name.toLowerCase());
    for (const columnId of own.length > 0 ? own : [found.item.columnId])
      if (!settled.has(columnId)) settled.set(columnId, { ...found, item: { columnId } });
  }
  return [...settled.values()];
}

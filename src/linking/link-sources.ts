/** What linking reads besides the question, made ready once for a catalog. */
import type { Catalog, ColumnStatistics } from '../catalog/index.ts';
import { renderSchema } from '../catalog/prompt-schema/index.ts';
import { type SharingPolicy, shareCatalog } from '../catalog/share/index.ts';
import type { QueryLimits, QueryResult } from '../database/index.ts';
import type { KnowledgeGraph } from '../knowledge/graph/index.ts';
import type { Retrieved, SharedTables, TableIndex } from '../knowledge/retrieve/index.ts';
import { indexTables } from '../knowledge/retrieve/index.ts';
import type { SemanticModel } from '../knowledge/semantic/index.ts';
import type { ValueIndex } from '../knowledge/values/index.ts';
import {
  type LinkForests,
  openLinkForests,
  type PreparedLinker,
  prepareLinker,
} from '../reasoning/grounded/linking/index.ts';
import type { LinkReasoner } from '../reasoning/roles/link-reasoner.ts';
import type { RankReasoner } from '../reasoning/roles/rank-reasoner.ts';
import type { JoinKeys } from './join-paths/join-key.ts';
import { joinKeys } from './join-paths/join-keys.ts';

/** The same for every question. */
export interface PreparedLinking {
  readonly tables: TableIndex;
  /** The same as a model may know it. */
  readonly shown: (sharing: SharingPolicy) => SharedTables;
  readonly linker: PreparedLinker;
  readonly forests: LinkForests;
  readonly keys: JoinKeys;
  /** Characters of the whole schema as a writer would see it; absent where it is far too large to write. */
  readonly schemaCharacters?: number;
}

export interface LinkSources extends PreparedLinking {
  readonly semantics: Pick<SemanticModel, 'metrics' | 'vagueTerms'>;
  /** Words and phrases of the question that may name something; texts in quotes, which are meant as values. */
  readonly keywords: readonly string[];
  readonly quoted: readonly string[];
  /** What was found for this question. */
  readonly retrieved?: Retrieved;
  readonly graph?: KnowledgeGraph;
  /** SQL of the grounded engine's readings, surest first; asked for when hypotheses are wanted. */
  readonly readings: () => readonly string[];
  /** A language model's; absent: the grounded engine links. */
  readonly reasoner?: LinkReasoner;
  readonly ranker?: RankReasoner;
  /** Tokens the writer of the SQL takes; absent: nobody says. */
  readonly contextWindow?: number;
  /** Evidence level L3. */
  readonly statisticsOf?: (columnId: string) => Promise<ColumnStatistics | undefined>;
  /** `query` of the guarded database; absent: nothing may be run. */
  readonly probe?: (sql: string, limits: QueryLimits, signal?: AbortSignal) => Promise<QueryResult>;
}

/** Beyond this the gate decides by columns alone: writing the text would take longer than linking. */
const MOST_RENDERED = 2_000;

export async function prepareLinking(
  catalog: Catalog,
  { values, graph }: { readonly values?: ValueIndex; readonly graph?: KnowledgeGraph } = {},
): Promise<PreparedLinking> {
  const tables = indexTables(catalog);
  const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0);
  return {
    tables,
    shown: shownTables(catalog),
    linker: prepareLinker(catalog, {
      tables,
      ...(values && { values }),
      ...(graph && { toldOf: (id) => toldIn(graph, id) }),
    }),
    forests: await openLinkForests(),
    keys: joinKeys(tables, graph === undefined ? {} : { graph }),
    ...(columns <= MOST_RENDERED && { schemaCharacters: renderSchema(catalog).length }),
  };
}

/** Descriptions and synonyms of a table or column, those of people first. */
function toldIn(graph: KnowledgeGraph, id: string): readonly string[] {
  const node = graph.table(id) ?? graph.column(id);
  return node === undefined ? [] : [...node.descriptions, ...node.synonyms].map(({ value }) => value);
}

/** Made at the first call for a policy. */
function shownTables(catalog: Catalog): PreparedLinking['shown'] {
  const made = new Map<SharingPolicy, SharedTables>();
  return (sharing) => {
    const known = made.get(sharing) ?? indexTables(shareCatalog(catalog, sharing));
    made.set(sharing, known);
    return known;
  };
}

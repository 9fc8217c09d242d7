import type { SharingPolicy } from '../../catalog/share/index.ts';
import type { KnowledgeGraph } from '../../knowledge/graph/index.ts';
import type { Retrieved, SharedTables } from '../../knowledge/retrieve/index.ts';

/** What the rankers are shown. */
export interface RankerSources {
  /** The catalog that the caller may see, with its families. */
  readonly tables: SharedTables;
  readonly retrieved: Retrieved;
  /** Joins, descriptions, notes and examples; without it the catalog's keys and comments. */
  readonly graph?: KnowledgeGraph;
  /** What the ranker may be told of values. */
  readonly sharing: SharingPolicy;
  /** Tables that a table of a family stands for, the question's own first; empty: itself. */
  readonly membersOf: (tableId: string) => readonly string[];
}

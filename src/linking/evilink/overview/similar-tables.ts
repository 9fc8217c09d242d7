/** The tables that no path chose and that the question is likeliest about, so that the writer never gets nothing. */
import { nearestNames } from '../../../language/index.ts';
import type { LinkHypothesis } from '../../../reasoning/index.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import type { LinkItems } from '../items/link-items.ts';
import type { SchemaScope } from '../items/schema-scope.ts';

const MOST_TABLES = 10;
const NEAR_A_WORD = 3;
/** Words compared with every name of the scope. */
const MOST_WORDS = 60;

export interface SimilarTables {
  /** Never empty; those of a family with the members it stands for. */
  readonly tables: readonly string[];
  /** How they were found: `by their names`. */
  readonly how: string;
}

/** By the ranking of retrieval, else by names near to words of the question and its hypotheses, else the first ones. */
export function similarTables(
  words: { readonly question: string; readonly hypotheses: readonly LinkHypothesis[] },
  { ranking }: EvilinkSources,
  { scope, items }: { readonly scope: SchemaScope; readonly items: LinkItems },
): SimilarTables {
  const ranked = (ranking ?? []).filter((id) => items.table(id) !== undefined);
  if (ranked.length > 0) return found(ranked, 'by the ranking of retrieval', scope);
  const byName = new Map(scope.tables.map(({ table }) => [table.name, table.id]));
  const asked = [words.question, ...words.hypotheses.flatMap(({ entities }) => entities)].join(' ');
  const wanted = [...new Set(asked.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, MOST_WORDS);
  const near = wanted.flatMap((word) => nearestNames(word, byName.keys(), NEAR_A_WORD));
  if (near.length > 0)
    return found(
      near.flatMap((name) => byName.get(name) ?? []),
      'by their names',
      scope,
    );
  return found(
    scope.tables.map(({ table }) => table.id),
    'as the first of the catalog',
    scope,
  );
}

function found(ids: readonly string[], how: string, scope: SchemaScope): SimilarTables {
  const tables = [...new Set(ids)].slice(0, MOST_TABLES).flatMap((id) => scope.membersOf(id));
  return { tables: [...new Set(tables)], how };
}

/** The names that hypotheses are written from, cut to one call. */
import type { SharedColumn } from '../../../catalog/share/index.ts';
import { nearestNames } from '../../../language/index.ts';
import type { LinkHypothesis, ViewedTable } from '../../../reasoning/roles/link-reasoner.ts';
import type { EvilinkSources } from '../items/evilink-sources.ts';
import type { LinkItems } from '../items/link-items.ts';
import type { SchemaScope } from '../items/schema-scope.ts';
import { estimateCharacters, estimateColumn } from './chunk-tables.ts';

export interface FittedSkeleton {
  readonly tables: readonly ViewedTable[];
  /** `hypotheses saw 40 columns a table at most`. */
  readonly leftOut: readonly string[];
}

/**
 * All tables with as many columns each as fit; of a table that is cut, keys and columns with notes come first. Tables
 * go only when their names alone are too many. Hypotheses guide and never whitelist, so what is cut here is still
 * looked at by the paths.
 */
export function fitSkeleton(tables: readonly ViewedTable[], most: number): FittedSkeleton {
  const rows = tables.map(measure);
  const sizeAt = (columns: number): number =>
    rows.reduce((sum, { sizes }) => sum + (sizes[Math.min(columns, sizes.length - 1)] ?? 0), 0);
  const widest = Math.max(0, ...tables.map(({ columns }) => columns.length));
  if (sizeAt(widest) <= most) return { tables, leftOut: [] };
  let [fits, tooMany] = [0, widest];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (sizeAt(middle) <= most) fits = middle;
    else tooMany = middle;
  }
  const leftOut = [`hypotheses saw ${fits} columns a table at most`];
  let size = 0;
  const shown = rows.filter(({ sizes }) => {
    size += sizes[Math.min(fits, sizes.length - 1)] ?? 0;
    return size <= most;
  });
  const narrow = shown.map((row) => narrowed(row, fits));
  if (shown.length === tables.length) return { tables: narrow, leftOut };
  return {
    tables: narrow,
    leftOut: [...leftOut, `hypotheses saw ${shown.length} of ${tables.length} tables`],
  };
}

interface Measured {
  readonly viewed: ViewedTable;
  /** Keys and columns with notes first. */
  readonly columns: readonly SharedColumn[];
  /** Characters with the first n columns, by n. */
  readonly sizes: readonly number[];
}

function measure(viewed: ViewedTable): Measured {
  const { table, notes } = viewed;
  const isFirst = ({ id }: SharedColumn): boolean => table.primaryKey.includes(id) || notes.has(id);
  const rest = viewed.columns.filter((column) => !isFirst(column));
  const columns = [...viewed.columns.filter(isFirst), ...rest];
  const sizes = [estimateCharacters({ ...viewed, columns: [] }, 'L0')];
  for (const column of columns) sizes.push((sizes.at(-1) ?? 0) + estimateColumn(column, 'L0'));
  return { viewed, columns, sizes };
}

/** The columns that stay keep their order. */
function narrowed({ viewed, columns }: Measured, most: number): ViewedTable {
  if (columns.length <= most) return viewed;
  const kept = new Set(columns.slice(0, most));
  return { ...viewed, columns: viewed.columns.filter((column) => kept.has(column)) };
}

/** The tables that no path chose and that the question is likeliest about, so that the writer never gets nothing. */
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

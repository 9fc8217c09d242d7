/** The names that hypotheses are written from, cut to one call. */
import type { SharedColumn } from '../../../catalog/index.ts';
import type { ViewedTable } from '../../../reasoning/index.ts';
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

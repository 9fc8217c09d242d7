/** What retrieval found of columns, for every member of a family alike. */
import type { Column } from '../../catalog/index.ts';
import type { Retrieved, TableIndex } from '../../knowledge/index.ts';
import type { FoundSigns } from '../../reasoning/index.ts';

export interface ColumnSigns {
  /** Stored values that are like words of the question, best first. */
  readonly values: readonly string[];
  readonly found: FoundSigns;
}

const SHOWN_VALUES = 5;
const NOTHING: ColumnSigns = { values: [], found: { score: 0, because: [] } };

export function columnSigns(
  { columns, values }: Pick<Retrieved, 'columns' | 'values'>,
  tables: TableIndex,
): (column: Column) => ColumnSigns {
  const signs = new Map<string, ColumnSigns>();
  const keyOf = ({ tableId, name }: Column): string =>
    `${tables.familyOf(tableId)?.index ?? tableId} ${name.toLowerCase()}`;
  const add = (columnId: string, more: ColumnSigns): void => {
    const column = tables.column(columnId);
    if (column === undefined) return;
    const known = signs.get(keyOf(column)) ?? NOTHING;
    signs.set(keyOf(column), {
      values: [...new Set([...known.values, ...more.values])],
      found: {
        score: Math.max(known.found.score, more.found.score),
        because: [...new Set([...known.found.because, ...more.found.because])],
      },
    });
  };
  for (const { item, score } of values) {
    const shown = item.values.slice(0, SHOWN_VALUES);
    const because = shown.map(({ value, keyword }) => `its value “${value}” is like “${keyword}”`);
    add(item.columnId, { values: shown.map(({ value }) => value), found: { score, because } });
  }
  for (const { item, score, because } of columns)
    add(item.columnId, { values: [], found: { score, because } });
  return (column) => signs.get(keyOf(column)) ?? NOTHING;
}

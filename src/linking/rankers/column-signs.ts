/** What retrieval found of columns, for every member of a family alike. */
import {
  authoredText,
  type SharedColumn,
  type SharedText,
  type SharingPolicy,
  valueTexts,
} from '../../catalog/share/index.ts';
import type { Retrieved, SharedTables } from '../../knowledge/retrieve/index.ts';
import type { FoundSigns } from '../../reasoning/roles/rank-reasoner.ts';

export interface ColumnSigns {
  /** Stored values that are like words of the question, best first. */
  readonly values: readonly SharedText[];
  readonly found: FoundSigns;
}

const SHOWN_VALUES = 5;
const NOTHING: ColumnSigns = { values: [], found: { score: 0, because: [] } };

export function columnSigns(
  { columns, values }: Pick<Retrieved, 'columns' | 'values'>,
  tables: SharedTables,
  sharing: SharingPolicy,
): (column: SharedColumn) => ColumnSigns {
  const signs = new Map<string, ColumnSigns>();
  const keyOf = ({ tableId, name }: SharedColumn): string =>
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
    add(item.columnId, {
      values: valueTexts(
        shown.map(({ value }) => value),
        sharing,
      ),
      found: { score, because: foundTexts(because, sharing) },
    });
  }
  for (const { item, score, because } of columns)
    add(item.columnId, { values: [], found: { score, because: because.map(authoredText) } });
  return (column) => signs.get(keyOf(column)) ?? NOTHING;
}

/** That something was found may be said, what it was may not. */
function foundTexts(because: readonly string[], sharing: SharingPolicy): readonly SharedText[] {
  if (sharing === 'all' || because.length === 0) return valueTexts(because, sharing);
  return [authoredText('stored values are like words of the question')];
}

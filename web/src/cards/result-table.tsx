import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { Rows } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { cellText } from './cell-text.ts';
import { figureOf } from './read-figure.ts';
import { type Sorting, sortRows } from './sort-rows.ts';

const ROW_PIXELS = 30;
const MOST_CHARACTERS = 40;
/** Rows that tell how wide a column is, and whether it holds numbers. */
const MEASURED = 200;

/** Rows, sortable, of which only those in sight are in the page: empty rows above and below take the room of the others. */
export function ResultTable({ columns, rows }: { readonly columns: readonly string[]; readonly rows: Rows }) {
  const messages = useMessages();
  const [sorting, setSorting] = useState<Sorting>();
  const sorted = useMemo(() => sortRows(rows, sorting), [rows, sorting]);
  const shapes = useMemo(() => columns.map((column, at) => shapeOf(column, at, rows)), [columns, rows]);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 12,
  });
  const inSight = virtual.getVirtualItems();
  const above = inSight[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (inSight.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="table-scroll" ref={scroller} tabIndex={0} aria-label={messages.table}>
      <table aria-rowcount={sorted.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {shapes.map(({ column, at, width, isNumeric }) => (
              <th
                key={at}
                scope="col"
                style={{ minWidth: `${width}ch` }}
                className={isNumeric ? 'number' : undefined}
                aria-sort={ariaSort(sorting, at)}
              >
                <button
                  type="button"
                  title={messages.sortBy(column)}
                  onClick={() => setSorting(nextSorting(sorting, at))}
                >
                  {column}
                  <span aria-hidden="true">{ARROWS[ariaSort(sorting, at)]}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <SpacerRow height={above} />}
          {inSight.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} style={{ height: ROW_PIXELS }}>
              {shapes.map(({ at, isNumeric }) => (
                <DataCell key={at} cell={sorted[index]?.[at] ?? null} isNumeric={isNumeric} />
              ))}
            </tr>
          ))}
          {below > 0 && <SpacerRow height={below} />}
        </tbody>
      </table>
    </section>
  );
}

/** The room of rows that are out of sight. */
function SpacerRow({ height }: { readonly height: number }) {
  return (
    <tr>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

const ARROWS = { none: '', ascending: ' ↑', descending: ' ↓' } as const;

function DataCell({ cell, isNumeric }: { readonly cell: Rows[number][number]; readonly isNumeric: boolean }) {
  const text = cellText(cell);
  const look = cell === null ? 'nothing' : isNumeric ? 'number' : undefined;
  return (
    <td className={look} title={text.length > MOST_CHARACTERS ? text : undefined}>
      {text}
    </td>
  );
}

function ariaSort(sorting: Sorting | undefined, column: number): keyof typeof ARROWS {
  if (sorting?.column !== column) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
}

/** Up, down, as it came. */
function nextSorting(sorting: Sorting | undefined, column: number): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? undefined : { column, isDescending: true };
}

/** A column is as wide as its first rows need, so that it keeps its width while others scroll in. */
function shapeOf(column: string, at: number, rows: Rows) {
  const first = rows.slice(0, MEASURED);
  const lengths = first.map((row) => cellText(row[at] ?? null).length);
  return {
    column,
    at,
    width: Math.min(MOST_CHARACTERS, Math.max(column.length + 3, 6, ...lengths)),
    isNumeric: first.some((row) => figureOf(row[at] ?? null) !== undefined),
  };
}

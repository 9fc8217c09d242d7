import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { AreaList, ListedTable } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useDebounced } from '../shell/use-debounced.ts';
import { hashOf } from '../shell/use-route.ts';
import { TableTags } from './table-tags.tsx';
import { useTables } from './use-tables.ts';

/** Before a row is measured. */
const ROW_PIXELS = 62;

/** The tables that words and an area leave, most read first; only those in sight are in the page. */
export function TableList() {
  const messages = useMessages();
  const { explore } = messages;
  const [text, setText] = useState('');
  const [area, setArea] = useState('');
  const { tables, total, failure, isLoading, more } = useTables(useDebounced(text), area);
  const { reply: known } = useReply<AreaList>('/v1/areas?limit=1');
  return (
    <>
      <search className="explore-bar">
        <label>
          {explore.searchTables}
          <input
            type="search"
            value={text}
            maxLength={200}
            placeholder={explore.searchTablesHint}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {known !== undefined && known.areas.length > 0 && (
          <label>
            {explore.inArea}
            <select value={area} onChange={({ currentTarget }) => setArea(currentTarget.value)}>
              <option value="">{explore.everywhere}</option>
              {known.areas.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </search>
      {failure !== undefined && <FailureNote failure={failure} />}
      <p className="quiet" role="status">
        {isLoading && total === undefined ? messages.loading : explore.tables(total ?? 0)}
      </p>
      {total === 0 && <p>{explore.noTables}</p>}
      <Rows tables={tables} total={total ?? 0} onMore={more} />
    </>
  );
}

interface RowsProps {
  readonly tables: readonly ListedTable[];
  readonly total: number;
  /** More of them are wanted. */
  readonly onMore: () => void;
}

function Rows({ tables, total, onMore }: RowsProps) {
  const { explore } = useMessages();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: tables.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 8,
  });
  const inSight = virtual.getVirtualItems();
  const last = inSight.at(-1)?.index ?? -1;
  useEffect(() => {
    if (tables.length < total && last >= tables.length - 10) onMore();
  }, [last, tables.length, total, onMore]);
  return (
    <div className="long-list" ref={scroller}>
      <ul aria-label={explore.catalog} style={{ height: virtual.getTotalSize() }}>
        {inSight.map(({ index, start }) => {
          const table = tables[index];
          return table === undefined ? null : (
            <li
              key={table.id}
              aria-setsize={total}
              aria-posinset={index + 1}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <TableRow table={table} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function TableRow({ table }: { readonly table: ListedTable }) {
  return (
    <>
      <div className="table-line">
        <a href={hashOf(['catalog', table.id])}>{table.name}</a>
        <TableTags table={table} />
      </div>
      <p className="one-line quiet">{table.description}</p>
    </>
  );
}

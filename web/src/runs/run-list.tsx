import { useState } from 'react';
import type { ListedRecord, RecordList } from '../api/contract.ts';
import { usePages } from '../api/use-pages.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

const PAGE = 50;
const recordsOf = ({ records }: RecordList): readonly ListedRecord[] => records;

/** What was answered to this person, the newest first. */
export function RunList() {
  const messages = useMessages();
  const { files } = messages;
  const [outcome, setOutcome] = useState('');
  const wanted = outcome === '' ? '' : `&outcome=${outcome}`;
  const { items, failure, isLoading, hasMore, more } = usePages<RecordList, ListedRecord>({
    ...{ path: `/v1/records?limit=${PAGE}${wanted}`, cursor: 'before', itemsOf: recordsOf },
  });
  return (
    <>
      <p className="quiet">{files.runsLine}</p>
      <search className="explore-bar">
        <label>
          {files.outcome}
          <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value)}>
            <option value="">{files.anyOutcome}</option>
            {Object.entries(files.outcomes).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </search>
      {failure !== undefined && <FailureNote failure={failure} />}
      <p className="quiet" role="status">
        {isLoading ? messages.loading : items.length === 0 && files.noRuns}
      </p>
      <ul className="lines runs" aria-label={files.runs}>
        {items.map((record) => (
          <li key={record.id}>
            <RunLine record={record} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={more}>
          {files.moreRuns}
        </button>
      )}
    </>
  );
}

function RunLine({ record }: { readonly record: ListedRecord }) {
  const messages = useMessages();
  const { files } = messages;
  const { id, at, question, kind, rowCount, ms, model, cost } = record;
  const facts = [
    files.day(at),
    files.time(ms),
    ...(rowCount === undefined ? [] : [messages.rows(rowCount)]),
    ...(model === undefined ? [] : [model]),
    ...(cost === undefined ? [] : [files.cost(cost)]),
  ];
  return (
    <>
      <div className="table-line">
        <a href={hashOf(['runs', id])}>{question}</a>
        <OutcomeBadge kind={kind} />
      </div>
      <p className="quiet">{facts.join(' · ')}</p>
    </>
  );
}

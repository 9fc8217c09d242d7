import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, ListedColumn, TablePage } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { ProfileBars } from './profile-bars.tsx';

/** Columns with what is known of their values; of a very wide table the rest on demand. */
export function ColumnTable({ table }: { readonly table: TablePage }) {
  const messages = useMessages();
  const { explore } = messages;
  const [shown, setShown] = useState({ columns: table.columns, next: table.nextColumn });
  const [failure, setFailure] = useState<Failure>();
  const fetchMore = async (from: number): Promise<void> => {
    try {
      const path = `/v1/catalog/tables/${encodeURIComponent(table.id)}?from=${from}`;
      const { columns, nextColumn } = await request<TablePage>(path);
      setShown((before) => ({ columns: [...before.columns, ...columns], next: nextColumn }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    }
  };
  const { columns, next } = shown;
  return (
    <section>
      <h3>{messages.columns}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className="wide" tabIndex={0} aria-label={messages.columns}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{explore.column}</th>
              <th scope="col">{explore.meaning}</th>
              <th scope="col">{explore.valuesShown}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <ColumnRow key={column.id} column={column} />
            ))}
          </tbody>
        </table>
      </section>
      {failure !== undefined && <FailureNote failure={failure} />}
      {next !== undefined && (
        <button type="button" onClick={() => void fetchMore(next)}>
          {explore.moreColumns}
        </button>
      )}
    </section>
  );
}

function ColumnRow({ column }: { readonly column: ListedColumn }) {
  const { explore } = useMessages();
  const { name, type, isPrimaryKey, isPartitionKey, isMasked, references, descriptions, synonyms } = column;
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        <div className="quiet">{type}</div>
        <div className="badges">
          {isPrimaryKey && <span className="badge badge-good">{explore.primaryKey}</span>}
          {isPartitionKey && <span className="badge">{explore.partitionKey}</span>}
          {isMasked && <span className="badge badge-warn">{explore.masked}</span>}
        </div>
      </th>
      <td>
        {descriptions.map(({ text, source }) => (
          <p key={text} title={explore.saidBy[source]}>
            {text}
          </p>
        ))}
        {synonyms.length > 0 && <p className="quiet">{synonyms.join(', ')}</p>}
        {references.map((target) => (
          <p key={target}>
            → <a href={hashOf(['catalog', target.slice(0, target.lastIndexOf('.'))])}>{target}</a>
          </p>
        ))}
      </td>
      <td>
        {column.profile === undefined ? (
          <span className="quiet">{explore.noProfile}</span>
        ) : (
          <ProfileBars profile={column.profile} />
        )}
      </td>
    </tr>
  );
}

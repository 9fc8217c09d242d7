import type { TablePage } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { ColumnTable } from './column-table.tsx';
import { TableFacts } from './table-facts.tsx';
import { TableJoins } from './table-joins.tsx';
import { TableTags } from './table-tags.tsx';

/** All that is known of one table. */
export function TableView({ id }: { readonly id: string }) {
  const messages = useMessages();
  const { explore } = messages;
  const { reply: table, failure } = useReply<TablePage>(`/v1/catalog/tables/${encodeURIComponent(id)}`);
  return (
    <article aria-busy={table === undefined && failure === undefined}>
      <p>
        <a href={hashOf(['catalog'])}>← {explore.allTables}</a>
      </p>
      {failure !== undefined && <FailureNote failure={failure} />}
      {table === undefined && failure === undefined && <p className="quiet">{messages.loading}</p>}
      {table !== undefined && (
        <>
          <TableHead table={table} />
          <ColumnTable table={table} />
          <TableJoins joins={table.joins} />
          <TableFacts table={table} />
          {table.cut.length > 0 && <p className="quiet">{table.cut.join('; ')}</p>}
        </>
      )}
    </article>
  );
}

function TableHead({ table }: { readonly table: TablePage }) {
  const { explore } = useMessages();
  const { id, name, descriptions, synonyms, status, hasRowFilter } = table;
  return (
    <header>
      <div className="table-line">
        <h2>{name}</h2>
        <TableTags table={table} />
        <a href={hashOf(['graph', `table:${id}`])}>{explore.showGraph}</a>
      </div>
      {descriptions.map(({ text, source }) => (
        <p key={text}>
          {text} <span className="quiet">({explore.saidBy[source]})</span>
        </p>
      ))}
      {synonyms.length > 0 && (
        <p className="quiet">
          {explore.alsoCalled}: {synonyms.join(', ')}
        </p>
      )}
      {status !== undefined && (
        <p className="quiet">
          {explore.statusLine(status.by, status.at)}
          {status.why !== undefined && `: ${status.why}`}
          {status.replacedBy !== undefined && (
            <>
              {' '}
              {explore.useInstead} <a href={hashOf(['catalog', status.replacedBy])}>{status.replacedBy}</a>
            </>
          )}
        </p>
      )}
      {hasRowFilter && <p className="note-warn">{explore.rowsFiltered}</p>}
    </header>
  );
}

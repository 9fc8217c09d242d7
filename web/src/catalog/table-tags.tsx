import type { ListedTable } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

/** What a table is, at a glance: its standing, size and use. */
export function TableTags({ table }: { readonly table: ListedTable }) {
  const messages = useMessages();
  const { explore } = messages;
  const { kind, tags, rowCount, isRowCountEstimated, columnCount, monthlyReads } = table;
  return (
    <>
      {kind === 'view' && <span className="badge">{explore.view}</span>}
      {tags.map((tag) => (
        <span key={tag} className={`badge badge-${tag}`}>
          {messages.tags[tag]}
        </span>
      ))}
      <span className="quiet">
        {[
          ...(rowCount === undefined ? [] : [explore.rowsStored(rowCount, isRowCountEstimated)]),
          explore.columnCount(columnCount),
          ...(monthlyReads === undefined ? [] : [messages.readsAMonth(monthlyReads)]),
        ].join(' · ')}
      </span>
    </>
  );
}

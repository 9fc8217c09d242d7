import { useState } from 'react';
import type { TableCard } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { useCardActions } from './card-actions.ts';

interface TablesCardProps {
  readonly tables: readonly TableCard[];
  /** A question waits for its tables. */
  readonly isChoice: boolean;
}

/** Tables, to look at or to choose from. */
export function TablesCard({ tables, isChoice }: TablesCardProps) {
  const messages = useMessages();
  const { say, isWorking, isLast } = useCardActions();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(tables.filter(({ isTicked }) => isTicked).map(({ id }) => id)),
  );
  const tick = (id: string): void => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    setTicked(next);
  };
  const names = tables.filter(({ id }) => ticked.has(id)).map(({ name }) => name);
  return (
    <article className="card card-tables" aria-label={messages.tablesShown}>
      {isChoice && <h3>{messages.chooseTables}</h3>}
      <ul className="table-cards">
        {tables.map((table) => (
          <li key={table.id} className="table-card">
            <TableHead
              table={table}
              isTicked={ticked.has(table.id)}
              onTick={isChoice && isLast ? () => tick(table.id) : undefined}
            />
            <TableBody table={table} />
          </li>
        ))}
      </ul>
      {isChoice && isLast && (
        <button
          type="button"
          className="primary"
          disabled={isWorking || ticked.size === 0}
          onClick={() => say({ text: '', tables: [...ticked] }, names.join(', '))}
        >
          {messages.useTables}
        </button>
      )}
    </article>
  );
}

interface TableHeadProps {
  readonly table: TableCard;
  readonly isTicked: boolean;
  readonly onTick?: (() => void) | undefined;
}

function TableHead({ table: { name, tags, monthlyReads, description }, isTicked, onTick }: TableHeadProps) {
  const messages = useMessages();
  return (
    <>
      <div className="table-card-head">
        {onTick === undefined ? (
          <strong>{name}</strong>
        ) : (
          <label>
            <input type="checkbox" checked={isTicked} onChange={onTick} /> <strong>{name}</strong>
          </label>
        )}
        {tags.map((tag) => (
          <span key={tag} className={`badge badge-${tag}`}>
            {messages.tags[tag]}
          </span>
        ))}
        {monthlyReads !== undefined && <span className="quiet">{messages.readsAMonth(monthlyReads)}</span>}
      </div>
      {description !== undefined && <p>{description}</p>}
    </>
  );
}

function TableBody({ table: { columns, moreColumns, because, joinedWith } }: { readonly table: TableCard }) {
  const messages = useMessages();
  return (
    <details className="fold">
      <summary>{messages.columns}</summary>
      <ul className="columns">
        {columns.map(({ name, type, description }) => (
          <li key={name}>
            <code>{name}</code> <span className="quiet">{type}</span> {description}
          </li>
        ))}
        {moreColumns !== undefined && <li className="quiet">{messages.moreColumns(moreColumns)}</li>}
      </ul>
      {joinedWith.length > 0 && (
        <p>
          {messages.joinedWith}: {joinedWith.join(', ')}
        </p>
      )}
      {because.length > 0 && (
        <p className="quiet">
          {messages.because}: {because.join('; ')}
        </p>
      )}
    </details>
  );
}

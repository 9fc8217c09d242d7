import type { ReactNode } from 'react';
import type { TablePage } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { hashOf } from '../shell/use-route.ts';

/** What people and query logs say of a table. */
export function TableFacts({ table }: { readonly table: TablePage }) {
  const { explore } = useMessages();
  const { notes, metrics, dimensions, usage, examples, areas } = table;
  return (
    <>
      {notes.length > 0 && (
        <Facts title={explore.notes}>
          {notes.map(({ text, place, by, at }) => (
            <li key={`${place} ${text}`}>
              {text} <span className="quiet">{[place, by, at].filter(Boolean).join(', ')}</span>
            </li>
          ))}
        </Facts>
      )}
      {metrics.length > 0 && (
        <Facts title={explore.figures}>
          {metrics.map(({ name, description }) => (
            <li key={name}>
              <a href={hashOf(['graph', `metric:${name}`])}>{name}</a> {description}
            </li>
          ))}
        </Facts>
      )}
      {dimensions.length > 0 && (
        <Facts title={explore.dimensions}>
          {dimensions.map(({ name, description, column }) => (
            <li key={name}>
              {name} <code>{column}</code> {description}
            </li>
          ))}
        </Facts>
      )}
      {usage !== undefined && <UsageFacts usage={usage} />}
      {examples.length > 0 && (
        <Facts title={explore.verifiedPairs}>
          {examples.map(({ question, sql, place }) => (
            <li key={place}>
              {sql === undefined ? (
                question
              ) : (
                <details>
                  <summary>{question}</summary>
                  <pre className="sql-plain">{sql}</pre>
                </details>
              )}
            </li>
          ))}
        </Facts>
      )}
      {areas.length > 0 && (
        <p>
          {explore.inAreas}: {areas.map(({ name }) => name).join(', ')}
        </p>
      )}
    </>
  );
}

function UsageFacts({
  usage: { runs, users, from, to, readWith },
}: {
  readonly usage: NonNullable<TablePage['usage']>;
}) {
  const { explore } = useMessages();
  return (
    <section>
      <h3>{explore.usage}</h3>
      <p>{explore.usageLine(runs, users, from, to)}</p>
      {readWith.length > 0 && (
        <>
          <h4>{explore.readWith}</h4>
          <ul className="lines">
            {readWith.map(({ table, runs: together }) => (
              <li key={table}>
                <a href={hashOf(['catalog', table])}>{table}</a>{' '}
                <span className="quiet">{explore.runs(together)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Facts({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="lines">{children}</ul>
    </section>
  );
}

import { type FormEvent, useId, useState } from 'react';
import type { Cluster } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { type Change, useChange } from './use-change.ts';

const SHOWN = 12;

interface ClusterCardProps {
  readonly cluster: Cluster;
  readonly mayEdit: boolean;
  /** An area was made of it. */
  readonly onMade: () => void;
}

/** Tables that the same people read, to judge and, where they belong together, to make an area of. */
export function ClusterCard({ cluster, mayEdit, onMade }: ClusterCardProps) {
  const { explore } = useMessages();
  const title = useId();
  const { failure, isSaving, isSaved, save } = useChange(onMade);
  const { id, tableCount, userCount, runs, tables, overlaps } = cluster;
  const most = Math.max(1, ...tables.map(({ score }) => score));
  return (
    <article className="card" aria-labelledby={title}>
      <div className="table-line">
        <h3 id={title}>{explore.clusterName(id)}</h3>
        <span className="quiet">{explore.clusterLine(tableCount, userCount, runs)}</span>
        <span className="quiet" role="status">
          {isSaved && explore.saved}
        </span>
      </div>
      <ul className="value-bars" aria-label={explore.tablesOf(explore.clusterName(id))}>
        {tables.slice(0, SHOWN).map(({ table, score }) => (
          <li key={table}>
            <span className="bar" aria-hidden="true">
              <span style={{ width: `${Math.max(0, score / most) * 100}%` }} />
            </span>
            <a href={hashOf(['catalog', table])}>{table}</a> <span className="quiet">{score.toFixed(2)}</span>
          </li>
        ))}
      </ul>
      {overlaps.length > 0 && (
        <p className="quiet">
          {explore.sharesWith}{' '}
          {overlaps.map(({ id: other, shared }) => explore.sharedTables(other, shared)).join(', ')}
        </p>
      )}
      {mayEdit && (
        <details className="fold">
          <summary>{explore.makeArea}</summary>
          <MakeArea cluster={cluster} isSaving={isSaving} save={save} />
          {failure !== undefined && <FailureNote failure={failure} />}
        </details>
      )}
    </article>
  );
}

interface MakeAreaProps extends Pick<Change, 'isSaving' | 'save'> {
  readonly cluster: Cluster;
}

/** The tables of the cluster to tick, and what the area is called. */
function MakeArea({ cluster: { id, tables }, isSaving, save }: MakeAreaProps) {
  const { explore } = useMessages();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const tick = (table: string): void => {
    const next = new Set(left);
    if (!next.delete(table)) next.add(table);
    setLeft(next);
  };
  const make = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const field = (name: string): string => String(given.get(name) ?? '').trim();
    const includeTables = tables.map(({ table }) => table).filter((table) => !left.has(table));
    void save(field('id'), { name: field('name'), includeTables });
  };
  return (
    <form onSubmit={make}>
      <fieldset className="ticks">
        <legend>{explore.tablesOf(explore.clusterName(id))}</legend>
        {tables.map(({ table }) => (
          <label key={table}>
            <input type="checkbox" checked={!left.has(table)} onChange={() => tick(table)} /> {table}
          </label>
        ))}
      </fieldset>
      <div className="explore-bar">
        <label>
          {explore.name}
          <input name="name" required maxLength={200} />
        </label>
        <label>
          {explore.areaId}
          <input
            name="id"
            required
            maxLength={64}
            pattern="[a-z0-9][a-z0-9_\-]*"
            title={explore.areaIdHint}
            placeholder={explore.areaIdHint}
          />
        </label>
        <button type="submit" className="primary" disabled={isSaving || left.size === tables.length}>
          {explore.create}
        </button>
      </div>
    </form>
  );
}

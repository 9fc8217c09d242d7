import { type FormEvent, type ReactNode, useId } from 'react';
import type { Area } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { hashOf } from '../shell/use-route.ts';
import { type Change, useChange } from './use-change.ts';

interface AreaCardProps {
  readonly area: Area;
  readonly mayEdit: boolean;
  readonly onChanged: () => void;
}

/** One product area: its tables and why they are, and for those who may, what to change. */
export function AreaCard({ area, mayEdit, onChanged }: AreaCardProps) {
  const { explore } = useMessages();
  const { failure, isSaving, isSaved, save } = useChange(onChanged);
  const title = useId();
  const { id, name, memberCount, tableCount, includeTables, excludeTables, instructions } = area;
  const exclude = (table: string): Promise<void> =>
    save(id, {
      includeTables: includeTables.filter((other) => other !== table),
      excludeTables: [...excludeTables, table],
    });
  const takeBack = (table: string): Promise<void> =>
    save(id, { excludeTables: excludeTables.filter((other) => other !== table) });
  return (
    <article className="card" aria-labelledby={title}>
      <div className="table-line">
        <h3 id={title}>{name}</h3>
        <span className="quiet">
          {explore.members(memberCount)} · {explore.tables(tableCount)}
        </span>
        <span className="quiet" role="status">
          {isSaved && explore.saved}
        </span>
      </div>
      {instructions !== undefined && <p>{instructions}</p>}
      {failure !== undefined && <FailureNote failure={failure} />}
      <AreaTables
        area={area}
        button={(table) =>
          mayEdit && (
            <button
              type="button"
              disabled={isSaving}
              aria-label={explore.excludeTable(table)}
              onClick={() => void exclude(table)}
            >
              {explore.exclude}
            </button>
          )
        }
      />
      <Excluded
        tables={excludeTables}
        button={(table) =>
          mayEdit && (
            <button
              type="button"
              disabled={isSaving}
              aria-label={explore.takeBackTable(table)}
              onClick={() => void takeBack(table)}
            >
              {explore.takeBack}
            </button>
          )
        }
      />
      {mayEdit && <AreaForms area={area} isSaving={isSaving} save={save} />}
    </article>
  );
}

type Button = (table: string) => ReactNode;

function AreaTables({ area: { name, tables }, button }: { readonly area: Area; readonly button: Button }) {
  const { explore } = useMessages();
  return (
    <ul className="lines" aria-label={explore.tablesOf(name)}>
      {tables.map(({ table, cluster, score }) => (
        <li key={table} className="table-line">
          <a href={hashOf(['catalog', table])}>{table}</a>
          <span className="quiet">
            {cluster === undefined ? explore.included : explore.ofCluster(cluster, (score ?? 0).toFixed(2))}
          </span>
          {button(table)}
        </li>
      ))}
    </ul>
  );
}

function Excluded({ tables, button }: { readonly tables: readonly string[]; readonly button: Button }) {
  const { explore } = useMessages();
  if (tables.length === 0) return null;
  return (
    <>
      <h4>{explore.excludedTables}</h4>
      <ul className="lines">
        {tables.map((table) => (
          <li key={table} className="table-line">
            {table}
            {button(table)}
          </li>
        ))}
      </ul>
    </>
  );
}

interface AreaFormsProps extends Pick<Change, 'isSaving' | 'save'> {
  readonly area: Area;
}

/** Another name, one more table. */
function AreaForms({ area: { id, name, includeTables, excludeTables }, isSaving, save }: AreaFormsProps) {
  const { explore } = useMessages();
  return (
    <div className="area-forms">
      <OneField
        key={name}
        label={explore.name}
        button={explore.rename}
        initial={name}
        isSaving={isSaving}
        onSend={(next) => save(id, { name: next })}
      />
      <OneField
        key={includeTables.join()}
        label={explore.includeTable}
        button={explore.include}
        initial=""
        isSaving={isSaving}
        onSend={(table) =>
          save(id, {
            includeTables: [...includeTables, table],
            excludeTables: excludeTables.filter((other) => other !== table.toLowerCase()),
          })
        }
      />
    </div>
  );
}

interface OneFieldProps {
  readonly label: string;
  readonly button: string;
  readonly initial: string;
  readonly isSaving: boolean;
  readonly onSend: (text: string) => Promise<void>;
}

function OneField({ label, button, initial, isSaving, onSend }: OneFieldProps) {
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim();
    if (text !== '' && text !== initial) void onSend(text);
  };
  return (
    <form className="explore-bar" onSubmit={send}>
      <label>
        {label}
        <input name="text" defaultValue={initial} required maxLength={200} />
      </label>
      <button type="submit" disabled={isSaving}>
        {button}
      </button>
    </form>
  );
}

import { useState } from 'react';
import type { FoundValues } from '../api/contract.ts';
import { useReply } from '../api/use-reply.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { FailureNote } from '../shell/failure-note.tsx';
import { useDebounced } from '../shell/use-debounced.ts';
import { hashOf } from '../shell/use-route.ts';
import '../explore.css';

/** `#/values`: where a value is stored, also when it is spelt otherwise. */
export default function ValuesPage() {
  const { explore } = useMessages();
  const [text, setText] = useState('');
  const wanted = useDebounced(text).trim();
  const path =
    wanted === '' ? undefined : `/v1/values?${new URLSearchParams({ text: wanted, limit: '100' })}`;
  const { reply, failure, isLoading } = useReply<FoundValues>(path);
  return (
    <div className="page explore">
      <search className="explore-bar">
        <label>
          {explore.searchValues}
          <input
            type="search"
            value={text}
            maxLength={500}
            placeholder={explore.searchValuesHint}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </search>
      {path === undefined && <p className="quiet">{explore.valuesLine}</p>}
      {failure !== undefined && <FailureNote failure={failure} />}
      <div aria-busy={isLoading} aria-live="polite">
        {reply !== undefined && reply.values.length === 0 && <p>{explore.noValues}</p>}
        {reply !== undefined && reply.values.length > 0 && <Found values={reply.values} />}
      </div>
    </div>
  );
}

function Found({ values }: { readonly values: FoundValues['values'] }) {
  const { explore } = useMessages();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="wide" tabIndex={0} aria-label={explore.values}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{explore.value}</th>
            <th scope="col">{explore.column}</th>
            <th scope="col">{explore.match}</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ value, column, table, match, similarity }) => (
            <tr key={`${column} ${value}`}>
              <th scope="row">{value}</th>
              <td>
                <a href={hashOf(['catalog', table])}>{column}</a>
              </td>
              <td>
                {match === 'similar' ? explore.alike(Math.round(similarity * 100)) : explore.matches[match]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

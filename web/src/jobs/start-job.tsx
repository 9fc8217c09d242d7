import { useState } from 'react';
import type { Job } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';

const KINDS: readonly Job['kind'][] = ['onboard', 'refresh', 'usage', 'clusters', 'drift'];

/** Chooses a kind of job and starts it. */
export function StartJob({ onStart }: { readonly onStart: (kind: Job['kind']) => void }) {
  const { jobs } = useMessages();
  const [kind, setKind] = useState<Job['kind']>('refresh');
  return (
    <form
      className="explore-bar"
      onSubmit={(event) => {
        event.preventDefault();
        onStart(kind);
      }}
    >
      <label>
        {jobs.startTitle}
        <select
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = KINDS.find((each) => each === currentTarget.value);
            if (chosen !== undefined) setKind(chosen);
          }}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {jobs.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{jobs.start}</button>
    </form>
  );
}

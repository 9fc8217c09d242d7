import { useEffect, useState } from 'react';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';

interface Workspace {
  readonly name: string;
  readonly path: string;
  readonly isCurrent: boolean;
}

/** Leads to the other projects of this server; nothing where there is one. */
export function WorkspaceSelect() {
  const { workspace } = useMessages();
  const [all, setAll] = useState<readonly Workspace[]>([]);
  useEffect(() => {
    request<{ readonly workspaces: readonly Workspace[] }>('/v1/workspaces').then(
      ({ workspaces }) => setAll(workspaces),
      // The one that is open works without the others.
      () => undefined,
    );
  }, []);
  if (all.length < 2) return null;
  return (
    <select
      aria-label={workspace}
      title={workspace}
      value={all.find(({ isCurrent }) => isCurrent)?.path}
      onChange={({ currentTarget }) => window.location.assign(currentTarget.value)}
    >
      {all.map(({ name, path }) => (
        <option key={path} value={path}>
          {name}
        </option>
      ))}
    </select>
  );
}

import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Chat } from '../api/contract.ts';
import { request } from '../api/request.ts';

export interface Chats {
  /** The last changed first. */
  readonly list: readonly Chat[];
  readonly refresh: () => void;
  /** For good. `onGone` of the caller of `useChats` hears of it. */
  readonly remove: (id: string) => void;
}

const MOST = 200;

/** The chats of this person. */
export function useChats(onGone: (id: string) => void): Chats {
  const [list, setList] = useState<readonly Chat[]>([]);
  const refresh = useCallback(() => {
    // The page says by itself that the server is away as soon as something is asked.
    request<{ chats: readonly Chat[] }>(`/v1/chats?limit=${MOST}`).then(
      ({ chats }) => setList(chats),
      () => undefined,
    );
  }, []);
  useEffect(refresh, [refresh]);
  const remove = useCallback(
    (id: string) => {
      request(`/v1/chats/${encodeURIComponent(id)}`, { method: 'DELETE' }).then(
        () => {
          refresh();
          onGone(id);
        },
        () => refresh(),
      );
    },
    [refresh, onGone],
  );
  return useMemo(() => ({ list, refresh, remove }), [list, refresh, remove]);
}

import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { request } from '../api/request.ts';

export interface Me {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly groups: readonly string[];
  readonly rights: {
    readonly showSql: boolean;
    readonly runSql: boolean;
    readonly editKnowledge: boolean;
    /** When queries of answers are run. */
    readonly approval: 'allow' | 'ask' | 'deny';
  };
  /** False: the server serves its own machine, and there is nobody to sign out. */
  readonly isSignedIn: boolean;
}

export type WhoIsThere =
  | { readonly kind: 'asking' }
  /** The server wants to know who it is. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'somebody'; readonly me: Me };

/** Who the page is of. A server that is away is asked again by whatever is done next. */
export function useMe(): { readonly who: WhoIsThere; readonly refresh: () => void } {
  const [who, setWho] = useState<WhoIsThere>({ kind: 'asking' });
  const refresh = useCallback(() => {
    request<Me>('/v1/me').then(
      (me) => setWho({ kind: 'somebody', me }),
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) setWho({ kind: 'nobody' });
      },
    );
  }, []);
  useEffect(refresh, [refresh]);
  return { who, refresh };
}

import { useCallback, useEffect, useState } from 'react';
import { ApiError } from './api-error.ts';
import type { Failure } from './contract.ts';
import { request } from './request.ts';

export interface Replied<Reply> {
  /** Of the last path that was answered; it stays while the next one is asked for. */
  readonly reply: Reply | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

interface State<Reply> {
  readonly path: string | undefined;
  readonly round: number;
  readonly reply?: Reply | undefined;
  readonly failure?: Failure;
}

/** What the server says to a path, asked anew when the path changes; undefined asks nothing. */
export function useReply<Reply>(path: string | undefined): Replied<Reply> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<Reply>>({ path: undefined, round: 0 });
  useEffect(() => {
    if (path === undefined) {
      setState({ path, round });
      return;
    }
    const left = new AbortController();
    request<Reply>(path, { signal: left.signal }).then(
      (reply) => setState({ path, round, reply }),
      (error: unknown) => {
        if (left.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setState(({ reply }) => ({ path, round, reply, failure: error.failure }));
      },
    );
    return () => left.abort();
  }, [path, round]);
  const again = useCallback(() => setRound((now) => now + 1), []);
  const isLoading = path !== undefined && (state.path !== path || state.round !== round);
  return { reply: state.reply, failure: isLoading ? undefined : state.failure, isLoading, again };
}

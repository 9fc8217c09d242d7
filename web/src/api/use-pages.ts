import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from './api-error.ts';
import type { Failure } from './contract.ts';
import { request } from './request.ts';

export interface Pages<Item> {
  /** Of all pages that came. */
  readonly items: readonly Item[];
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
}

interface PagesOptions<Reply, Item> {
  /** With its question mark. */
  readonly path: string;
  /** What the next page is asked with. */
  readonly cursor: 'after' | 'before';
  readonly itemsOf: (reply: Reply) => readonly Item[];
}

interface State<Item> {
  readonly items: readonly Item[];
  readonly next?: string | undefined;
  readonly failure?: Failure;
}

/** A list page by page, begun anew when the path changes. */
export function usePages<Reply extends { readonly next?: string | undefined }, Item>({
  path,
  cursor,
  itemsOf,
}: PagesOptions<Reply, Item>): Pages<Item> {
  const [state, setState] = useState<State<Item>>({ items: [] });
  const [isLoading, setLoading] = useState(true);
  const underWay = useRef<AbortController>(undefined);
  const fetchPage = useCallback(
    async (before: readonly Item[], from?: string): Promise<void> => {
      underWay.current?.abort();
      const left = new AbortController();
      underWay.current = left;
      setLoading(true);
      try {
        let reply: Reply;
        let next = from;
        // A page may be empty while there are more behind it.
        do {
          const at = next === undefined ? '' : `&${cursor}=${encodeURIComponent(next)}`;
          reply = await request<Reply>(`${path}${at}`, { signal: left.signal });
          next = reply.next;
        } while (next !== undefined && itemsOf(reply).length === 0);
        setState({ items: [...before, ...itemsOf(reply)], next });
      } catch (error) {
        if (left.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setState((now) => ({ ...now, failure: error.failure }));
      } finally {
        if (underWay.current === left) setLoading(false);
      }
    },
    [path, cursor, itemsOf],
  );
  useEffect(() => {
    void fetchPage([]);
    return () => underWay.current?.abort();
  }, [fetchPage]);
  const { items, next, failure } = state;
  const more = (): void => {
    if (next !== undefined && !isLoading) void fetchPage(items, next);
  };
  return { items, failure, isLoading, hasMore: next !== undefined, more };
}

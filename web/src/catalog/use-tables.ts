import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, ListedTable, TableList } from '../api/contract.ts';
import { request } from '../api/request.ts';

const PAGE = 100;

export interface Tables {
  readonly tables: readonly ListedTable[];
  /** Undefined before the first page came. */
  readonly total: number | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  /** Fetches the next page, unless one is on its way. */
  readonly more: () => void;
}

interface State {
  readonly tables: readonly ListedTable[];
  readonly total?: number;
  readonly next?: string | undefined;
  readonly failure?: Failure;
}

/** Tables page by page, begun anew by other words or another area. */
export function useTables(text: string, area: string): Tables {
  const [state, setState] = useState<State>({ tables: [] });
  const [isLoading, setLoading] = useState(true);
  const underWay = useRef<AbortController>(undefined);
  const fetchPage = useCallback(
    (after?: string) => {
      underWay.current?.abort();
      const left = new AbortController();
      underWay.current = left;
      setLoading(true);
      const query = new URLSearchParams({
        limit: String(PAGE),
        ...(text.trim() !== '' && { text }),
        ...(area !== '' && { area }),
        ...(after !== undefined && { after }),
      });
      request<TableList>(`/v1/catalog/tables?${query}`, { signal: left.signal })
        .then(
          ({ tables, total, next }) =>
            setState((before) => ({
              tables: after === undefined ? tables : [...before.tables, ...tables],
              ...{ total, next },
            })),
          (error: unknown) => {
            if (left.signal.aborted) return;
            if (!(error instanceof ApiError)) throw error;
            setState((before) => ({ ...before, failure: error.failure }));
          },
        )
        .finally(() => {
          if (underWay.current !== left) return;
          underWay.current = undefined;
          setLoading(false);
        });
    },
    [text, area],
  );
  useEffect(() => {
    fetchPage();
    return () => underWay.current?.abort();
  }, [fetchPage]);
  const { next } = state;
  const more = useCallback(() => {
    if (next !== undefined && underWay.current === undefined) fetchPage(next);
  }, [next, fetchPage]);
  const { tables, total, failure } = state;
  return { tables, total, failure, isLoading, more };
}

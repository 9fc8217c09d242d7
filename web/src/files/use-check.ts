import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { CheckedFile, Failure, FileProblem } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useDebounced } from '../shell/use-debounced.ts';
import type { FilePlace } from './file-api.ts';

export interface Check {
  /** Of the last text that was checked; undefined before the first. */
  readonly problems: readonly FileProblem[] | undefined;
  readonly failure: Failure | undefined;
}

/** What would be wrong with the text in that place, asked while it is typed. */
export function useCheck({ folder, name }: FilePlace, text: string, isWanted: boolean): Check {
  const settled = useDebounced(text);
  const [check, setCheck] = useState<Check>({ problems: undefined, failure: undefined });
  useEffect(() => {
    if (!isWanted) return;
    const left = new AbortController();
    request<CheckedFile>('/v1/files/check', {
      body: { folder, name, text: settled },
      signal: left.signal,
    }).then(
      ({ problems }) => setCheck({ problems, failure: undefined }),
      (error: unknown) => {
        if (left.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setCheck({ problems: undefined, failure: error.failure });
      },
    );
    return () => left.abort();
  }, [folder, name, settled, isWanted]);
  return check;
}

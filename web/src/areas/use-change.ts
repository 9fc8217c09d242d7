import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure } from '../api/contract.ts';
import { request } from '../api/request.ts';

export interface AreaChange {
  readonly name?: string;
  readonly includeTables?: readonly string[];
  readonly excludeTables?: readonly string[];
}

export interface Change {
  readonly failure: Failure | undefined;
  readonly isSaving: boolean;
  /** Whether it was the last thing that was done. */
  readonly isSaved: boolean;
  readonly save: (id: string, change: AreaChange) => Promise<void>;
}

/** Writes what a person says of an area; one after the other. */
export function useChange(onDone: () => void): Change {
  const [state, setState] = useState<Omit<Change, 'save'>>({
    failure: undefined,
    isSaving: false,
    isSaved: false,
  });
  const save = async (id: string, change: AreaChange): Promise<void> => {
    setState({ failure: undefined, isSaving: true, isSaved: false });
    try {
      await request(`/v1/areas/${encodeURIComponent(id)}`, { method: 'PUT', body: change });
      setState({ failure: undefined, isSaving: false, isSaved: true });
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ failure: error.failure, isSaving: false, isSaved: false });
    }
  };
  return { ...state, save };
}

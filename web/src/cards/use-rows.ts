import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Answered, Failure, Rows, SqlOutcome } from '../api/contract.ts';
import { request } from '../api/request.ts';

export interface ShownRows {
  readonly columns: readonly string[];
  readonly rows: Rows;
  readonly truncatedBy: 'rows' | 'bytes' | null;
  /** What the engine has to say about the rows. */
  readonly notices?: Answered['notices'];
  /** Of a kept answer: so many rows were shown once, and none are here now. */
  readonly leftOut: number;
  readonly isRun: boolean;
  readonly isLoading: boolean;
  readonly failure?: Failure | undefined;
  /** Runs the query, or runs it again. */
  readonly fetch: () => void;
  /** Shows the rows of an edited query in place of these. */
  readonly take: (outcome: Extract<SqlOutcome, { kind: 'answered' }>) => void;
}

/** The rows of an answer: those that came with it, or fetched anew. */
export function useRows(answer: Answered, rowsLeftOut = 0): ShownRows {
  const [shown, setShown] = useState<Pick<ShownRows, 'columns' | 'rows' | 'truncatedBy' | 'notices'>>(answer);
  const [isFetched, setFetched] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const take: ShownRows['take'] = (outcome) => {
    setShown(outcome);
    setFetched(true);
    setFailure(undefined);
  };
  const fetchRows = async (): Promise<void> => {
    setLoading(true);
    try {
      const path = `/v1/records/${encodeURIComponent(answer.recordId)}/rows`;
      const outcome = await request<SqlOutcome>(path, { method: 'POST' });
      if (outcome.kind === 'answered') take(outcome);
      if (outcome.kind === 'reject')
        setFailure({
          code: 'sql.unsafe' as Failure['code'],
          message: outcome.message,
          next: '',
          requestId: '',
        });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error.failure);
    } finally {
      setLoading(false);
    }
  };
  const isRun = isFetched || answer.checks.some(({ name, passed }) => name === 'execute' && passed);
  const leftOut = isFetched ? 0 : rowsLeftOut;
  return { ...shown, leftOut, isRun, isLoading, failure, fetch: () => void fetchRows(), take };
}

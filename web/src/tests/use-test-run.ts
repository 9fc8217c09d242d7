import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Failure, TestChoice, TestProgress, TestReport } from '../api/contract.ts';
import { eventsBehind, followRun, type RunRequest } from '../api/follow-run.ts';
import type { ServerEvent } from '../api/read-events.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { keepRun, readKeptRun } from './kept-run.ts';

export type TestRunState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly progress?: TestProgress; readonly isLost: boolean }
  | { readonly kind: 'reported'; readonly report: TestReport }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface TestRun {
  readonly state: TestRunState;
  readonly start: (choice: TestChoice) => void;
  /** The report of what was asked until then follows. */
  readonly cancel: () => void;
}

/** The run of tests of this tab; one that was begun before a reload is taken up again, its report as well. */
export function useTestRun(): TestRun {
  const [state, setState] = useState<TestRunState>({ kind: 'none' });
  const { runGone: message, runGoneNext: next } = useMessages().desk;
  const gone = useRef({ message, next });
  gone.current = { message, next };
  const left = useRef<AbortController>(undefined);

  const follow = useCallback(async (first: RunRequest): Promise<void> => {
    left.current?.abort();
    const own = new AbortController();
    const { signal } = own;
    left.current = own;
    setState({ kind: 'running', isLost: false });
    try {
      for await (const event of followRun(first, signal)) setState((now) => withEvent(now, event));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      keepRun(undefined);
      const { failure, status } = error;
      setState({ kind: 'failed', failure: status === 404 ? { ...failure, ...gone.current } : failure });
    }
  }, []);

  useEffect(() => {
    const id = readKeptRun();
    if (id !== undefined) void follow(eventsBehind(id, 0, new AbortController().signal));
    return () => left.current?.abort();
  }, [follow]);

  const start = useCallback(
    (choice: TestChoice) => {
      const id = crypto.randomUUID();
      keepRun(id);
      void follow({ path: '/v1/tests/runs', body: choice, headers: { 'idempotency-key': id } });
    },
    [follow],
  );
  const cancel = useCallback(() => {
    const id = readKeptRun();
    if (id !== undefined)
      request(`/v1/runs/${encodeURIComponent(id)}/cancel`, { method: 'POST' }).catch(() => undefined);
  }, []);
  return { state, start, cancel };
}

function withEvent(state: TestRunState, event: ServerEvent | 'lost'): TestRunState {
  const progress = state.kind === 'running' ? state.progress : undefined;
  const shown = progress === undefined ? {} : { progress };
  // The stream ends behind the report: what is lost then is nothing.
  if (event === 'lost') return state.kind === 'running' ? { ...state, isLost: true } : state;
  const told = JSON.parse(event.data);
  switch (event.name) {
    case 'progress':
      return { kind: 'running', progress: told, isLost: false };
    case 'report':
      return { kind: 'reported', report: told };
    case 'error':
      return { kind: 'failed', failure: told };
    default:
      return { kind: 'running', ...shown, isLost: false };
  }
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { Chat, Failure, KeptChat, Turn } from '../api/contract.ts';
import { request } from '../api/request.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { type Exchange, exchangeOf, isAtWork, newExchange, withNews } from './exchange.ts';
import { runTurn } from './run-turn.ts';

export interface ChatState {
  readonly exchanges: readonly Exchange[];
  readonly isWorking: boolean;
  readonly isLoading: boolean;
  /** Why the chat cannot be shown. */
  readonly failure?: Failure | undefined;
  /** `shown`: what the page says the person said, where a turn has no words. */
  readonly say: (turn: Turn, shown?: string) => void;
  readonly stop: () => void;
}

/** One conversation: what is kept of it, and what is in work. `onKept` hears of its id and of every turn that ended. */
export function useChat(chatId: string | undefined, onKept: (id: string) => void): ChatState {
  const { exchanges, replace, change, isLoading, failure, own } = useKept(chatId);
  const messages = useMessages();
  const isWorking = exchanges.some(isAtWork);
  const working = useRef<Exchange>(undefined);
  working.current = exchanges.find(isAtWork);
  const begun = useRef<BegunTurn>(undefined);

  const say = useCallback(
    async (turn: Turn, shown?: string): Promise<void> => {
      if (working.current !== undefined) return;
      const turnBegun: BegunTurn = { isStopped: false };
      begun.current = turnBegun;
      const key = crypto.randomUUID();
      replace((all) => [...all, newExchange(key, turn, shown ?? turn.text)]);
      const fail = (failure: Failure): void => change(key, (one) => ({ ...one, state: 'failed', failure }));
      try {
        const id = own.current ?? (await request<Chat>('/v1/chats', { method: 'POST' })).id;
        own.current ??= id;
        onKept(id);
        for await (const news of runTurn(id, turn, new AbortController().signal)) {
          if (news.kind === 'run') {
            turnBegun.runId = news.runId;
            if (turnBegun.isStopped) cancel(news.runId);
          }
          change(key, (one) => withNews(one, news));
        }
        onKept(id);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { failure, status } = error;
        const isGone = turnBegun.runId !== undefined && status === 404;
        if (isGone) fail({ ...failure, message: messages.interrupted, next: messages.interruptedNext });
        else if (failure.code === 'server.overloaded')
          fail({ ...failure, message: messages.crowded, next: messages.crowdedNext });
        else fail(failure);
      }
    },
    [own, replace, change, onKept, messages],
  );

  const stop = useCallback(() => {
    if (working.current === undefined || begun.current === undefined) return;
    begun.current.isStopped = true;
    if (begun.current.runId !== undefined) cancel(begun.current.runId);
  }, []);
  return { exchanges, isWorking, isLoading, failure, say, stop };
}

/** The turn said last. Stopped before the server has named its run, it is cancelled as soon as that is known. */
interface BegunTurn {
  runId?: string;
  isStopped: boolean;
}

/** A cancel that does not arrive changes nothing on the page: the person may stop again. */
function cancel(runId: string): void {
  request(`/v1/runs/${encodeURIComponent(runId)}/cancel`, { method: 'POST' }).catch(() => undefined);
}

/** The messages of a chat, read once when another chat is opened. */
function useKept(chatId: string | undefined) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [isLoading, setLoading] = useState(chatId !== undefined);
  const [failure, setFailure] = useState<Failure>();
  const own = useRef<string>(undefined);

  useEffect(() => {
    if (own.current === chatId) return;
    own.current = chatId;
    setFailure(undefined);
    setExchanges([]);
    setLoading(chatId !== undefined);
    if (chatId === undefined) return;
    const left = new AbortController();
    request<KeptChat>(`/v1/chats/${encodeURIComponent(chatId)}`, { signal: left.signal }).then(
      ({ messages }) => {
        setExchanges(messages.map(exchangeOf));
        setLoading(false);
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        setLoading(false);
        if (error instanceof ApiError) setFailure(error.failure);
      },
    );
    return () => left.abort();
  }, [chatId]);

  /** Of the chat on screen alone: what comes in of one that was left stays with the server. */
  const replace = useCallback(
    (to: (all: readonly Exchange[]) => readonly Exchange[]) => setExchanges(to),
    [],
  );
  const change = useCallback((key: string, to: (one: Exchange) => Exchange) => {
    setExchanges((all) => all.map((one) => (one.key === key ? to(one) : one)));
  }, []);
  return { exchanges, replace, change, isLoading, failure, own };
}

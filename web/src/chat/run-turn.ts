import { ApiError } from '../api/api-error.ts';
import type { Card, Failure, Route, Turn } from '../api/contract.ts';
import { readEvents, type ServerEvent } from '../api/read-events.ts';
import { send } from '../api/request.ts';

/** What a turn comes to, as it comes. */
export type TurnNews =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'stage'; readonly stage: string }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'done'; readonly messageId: string; readonly quickReplies: readonly string[] }
  | { readonly kind: 'error'; readonly failure: Failure }
  | { readonly kind: 'lost' };

const ACCEPT = { accept: 'text/event-stream' };
/** Waits before the connection is tried again, in milliseconds: a restart of the server fits in. */
const WAITS = [200, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];

/**
 * Says something in a chat and tells what comes of it. A lost connection is taken up again behind the last event that was
 * seen, since the run goes on without a reader. Throws `ApiError` where the turn is refused or the run is gone for good.
 */
export async function* runTurn(chatId: string, turn: Turn, signal: AbortSignal): AsyncGenerator<TurnNews> {
  const path = `/v1/chats/${encodeURIComponent(chatId)}/turns`;
  let response = await send(path, { body: turn, headers: ACCEPT, signal });
  let runId: string | undefined;
  let seen = 0;
  for (let tries = 0; ; ) {
    try {
      for await (const event of eventsOf(response)) {
        if (event.data === '[DONE]') return;
        seen = event.id;
        tries = 0;
        const news = newsOf(event);
        if (news?.kind === 'run') runId = news.runId;
        if (news !== undefined) yield news;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    if (runId === undefined) throw unreachable();
    yield { kind: 'lost' };
    response = await takeUp(runId, seen, tries, signal);
    tries += 1;
  }
}

async function takeUp(runId: string, seen: number, from: number, signal: AbortSignal): Promise<Response> {
  for (const ms of WAITS.slice(from)) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    signal.throwIfAborted();
    try {
      const headers = { ...ACCEPT, 'last-event-id': String(seen) };
      return await send(`/v1/runs/${encodeURIComponent(runId)}/events`, { headers, signal });
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isUnreachable) throw error;
    }
  }
  throw unreachable();
}

function eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) throw unreachable();
  return readEvents(body);
}

function newsOf({ name, data }: ServerEvent): TurnNews | undefined {
  const told = JSON.parse(data);
  switch (name) {
    case 'run':
    case 'route':
    case 'stage':
    case 'card':
    case 'done':
      return { kind: name, ...told };
    case 'error':
      return { kind: 'error', failure: told };
    default:
      return undefined;
  }
}

function unreachable(): ApiError {
  const failure = {
    message: 'The connection was lost.',
    next: 'See that candor serve runs, then ask again.',
  };
  return new ApiError({ code: 'internal.bug', requestId: '', ...failure }, 0);
}

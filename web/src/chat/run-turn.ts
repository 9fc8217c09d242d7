import { ApiError } from '../api/api-error.ts';
import type { Card, Failure, Route, Turn } from '../api/contract.ts';
import { readEvents, type ServerEvent } from '../api/read-events.ts';
import { type RequestOptions, send } from '../api/request.ts';

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
const WAITS = [200, 500, 1_000, 2_000, ...Array<number>(14).fill(3_000)];

/**
 * Says something in a chat and tells what comes of it. A lost connection is taken up again behind the last event that was
 * seen, since the run goes on without a reader. Throws `ApiError` where the turn is refused or the run is gone for good.
 */
export async function* runTurn(chatId: string, turn: Turn, signal: AbortSignal): AsyncGenerator<TurnNews> {
  const post: Sent = {
    path: `/v1/chats/${encodeURIComponent(chatId)}/turns`,
    body: turn,
    headers: { ...ACCEPT, 'idempotency-key': crypto.randomUUID() },
    signal,
  };
  let response = await send(post.path, post).catch((error: unknown) => whenLost(error, signal));
  let runId: string | undefined;
  let seen = 0;
  for (let tries = 0; ; tries += 1) {
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
    yield { kind: 'lost' };
    response = await takeUp(runId === undefined ? post : eventsBehind(runId, seen, signal), tries);
  }
}

type Sent = RequestOptions & { readonly path: string };

function eventsBehind(runId: string, seen: number, signal: AbortSignal): Sent {
  const headers = { ...ACCEPT, 'last-event-id': String(seen) };
  return { path: `/v1/runs/${encodeURIComponent(runId)}/events`, headers, signal };
}

/** The line was cut before anything came: whether the turn was taken is not known, its key makes it safe to send again. */
function whenLost(error: unknown, signal: AbortSignal): undefined {
  if (signal.aborted || !(error instanceof ApiError) || !error.isUnreachable) throw error;
  return undefined;
}

/** Sends it until something answers, or the waits are used up. */
async function takeUp(sent: Sent, from: number): Promise<Response> {
  for (const ms of WAITS.slice(from)) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    sent.signal?.throwIfAborted();
    try {
      return await send(sent.path, sent);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isUnreachable) throw error;
    }
  }
  throw unreachable();
}

async function* eventsOf(response: Response | undefined): AsyncGenerator<ServerEvent> {
  if (response?.body) yield* readEvents(response.body);
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

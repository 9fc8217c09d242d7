import { ApiError } from './api-error.ts';
import { readEvents, type ServerEvent } from './read-events.ts';
import { type RequestOptions, send } from './request.ts';

/** A request that begins a run, or reads one that is in work. */
export type RunRequest = RequestOptions & { readonly path: string };

const ACCEPT = { accept: 'text/event-stream' };
/** Waits before the connection is tried again, in milliseconds: a restart of the server fits in. */
const WAITS = [200, 500, 1_000, 2_000, ...Array<number>(14).fill(3_000)];

/** A server that ended with its run: whoever sends the same again has another one take it up, once. */
const GIVEN_UP = ['server.run-lost', 'server.closing'];
const MOST_BEGINNINGS = 4;

/**
 * The events of a run as they come, and `lost` where the connection was cut: it is taken up again behind the last event that was
 * seen, since the run goes on without a reader. A request that begins a run has a key that makes it safe to send again. Throws `ApiError`
 * where the run is refused or gone for good.
 */
export async function* followRun(
  first: RunRequest,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent | 'lost'> {
  const begin: RunRequest = { ...first, headers: { ...first.headers, ...ACCEPT }, signal };
  let response = await send(begin.path, begin).catch((error: unknown) => whenLost(error, signal));
  let runId: string | undefined;
  let seen = 0;
  let beginnings = 1;
  for (let tries = 0; ; tries += 1) {
    try {
      for await (const event of eventsOf(response)) {
        if (event.data === '[DONE]') return;
        if (isGivenUp(event) && first.body !== undefined && beginnings < MOST_BEGINNINGS) {
          [runId, seen, beginnings] = [undefined, 0, beginnings + 1];
          break;
        }
        seen = event.id;
        tries = 0;
        if (event.name === 'run') runId = JSON.parse(event.data).runId;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    yield 'lost';
    response = await takeUp(runId === undefined ? begin : eventsBehind(runId, seen, signal), tries);
  }
}

function isGivenUp({ name, data }: ServerEvent): boolean {
  return name === 'error' && GIVEN_UP.includes(JSON.parse(data).code);
}

/** Reads a run that is in work, or has ended lately, behind an event. */
export function eventsBehind(runId: string, seen: number, signal: AbortSignal): RunRequest {
  const headers = { ...ACCEPT, 'last-event-id': String(seen) };
  return { path: `/v1/runs/${encodeURIComponent(runId)}/events`, headers, signal };
}

/** The line was cut before anything came: whether the run has begun is not known. */
function whenLost(error: unknown, signal: AbortSignal): undefined {
  if (signal.aborted || !(error instanceof ApiError) || !error.isUnreachable) throw error;
  return undefined;
}

/** Sends it until something answers, or the waits are used up. */
async function takeUp(sent: RunRequest, from: number): Promise<Response> {
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

function unreachable(): ApiError {
  const failure = {
    message: 'The connection was lost.',
    next: 'See that candor serve runs, then ask again.',
  };
  return new ApiError({ code: 'internal.bug', requestId: '', ...failure }, 0);
}

import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { FollowedRun } from '../parts/runs.ts';
import type { ServerEnv } from '../parts/server-parts.ts';

/** Proxies close a connection that says nothing for a minute. */
const HEARTBEAT_MS = 15_000;

/** The events of a run behind the one with the id, those to come as well, then `data: [DONE]`. */
export function streamRun(context: Context<ServerEnv>, run: FollowedRun, after: number): Response {
  context.header('X-Accel-Buffering', 'no');
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const heartbeat = setInterval(() => void stream.write(': ping\n\n'), HEARTBEAT_MS);
    try {
      for await (const { id, name, data } of run.read(after, gone.signal))
        await stream.writeSSE({ id: String(id), event: name, data });
      if (!gone.signal.aborted) await stream.writeSSE({ data: '[DONE]' });
    } finally {
      clearInterval(heartbeat);
    }
  });
}

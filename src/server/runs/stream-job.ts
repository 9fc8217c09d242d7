import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Job } from '../../jobs/index.ts';
import type { ServerEnv } from '../server-parts.ts';

const LOOK_MS = 1_000;
/** Proxies close a connection that says nothing for a minute. */
const LOOKS_TO_PING = 15;

/** A job whenever it has changed, until it ends, then `data: [DONE]`. It goes on without a reader. */
export function streamJob(context: Context<ServerEnv>, first: Job, look: () => Promise<Job>): Response {
  context.header('X-Accel-Buffering', 'no');
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    let told = '';
    for (let job = first, looks = 0; !gone.signal.aborted; looks++) {
      const data = JSON.stringify(job);
      if (data !== told) await stream.writeSSE({ event: 'job', data });
      else if (looks % LOOKS_TO_PING === 0) await stream.write(': ping\n\n');
      told = data;
      if (job.state === 'done' || job.state === 'failed' || job.state === 'cancelled') break;
      await wait(LOOK_MS, undefined, { signal: gone.signal }).catch(() => undefined);
      job = await look();
    }
    if (!gone.signal.aborted) await stream.writeSSE({ data: '[DONE]' });
  });
}

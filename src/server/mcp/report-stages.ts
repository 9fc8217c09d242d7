import type { ServerContext } from '@modelcontextprotocol/server';

/** Tells the stages of a question as they begin, to a client that asked for progress; undefined for any other. */
export function reportStages({ mcpReq }: ServerContext): ((stage: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress++;
    const told = mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    });
    // The connection is gone: the call ends by its own signal.
    told.catch(() => undefined);
  };
}

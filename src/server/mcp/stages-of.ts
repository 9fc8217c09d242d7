import type { ToolContext } from './mcp-desk.ts';

/** Tells the stages of a question as progress, to a client that asked for it. */
export function stagesOf({ mcpReq }: ToolContext): (stage: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    // Progress that does not arrive costs nobody the answer.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
}

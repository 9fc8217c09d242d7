import { CLIENT_CAPABILITIES_META_KEY, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolContext } from './mcp-desk.ts';

const CAPABILITIES = z.object({ elicitation: z.record(z.string(), z.unknown()).optional() });

/** Whether the client shows forms to its person: said at the handshake, or with the request since 2026-07-28. */
export function canBeAsked({ server }: McpServer, { mcpReq }: ToolContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const said = CAPABILITIES.safeParse(
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
  );
  const elicitation = said.data?.elicitation;
  // An empty one, as clients before 2025-11-25 send it, means forms.
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}

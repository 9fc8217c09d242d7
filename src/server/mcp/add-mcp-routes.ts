import type { OpenAPIHono } from '@hono/zod-openapi';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session.ts';
import type { ServerEnv, ServerParts } from '../server-parts.ts';
import { buildMcpServer } from './build-mcp-server.ts';

/** `/mcp`: the Model Context Protocol over streamable HTTP; every request sees what its person may see. */
export function addMcpRoutes(app: OpenAPIHono<ServerEnv>, { newId, onBug }: ServerParts): void {
  const sessions = new WeakMap<Request, Session>();
  const handler = createMcpHandler(({ requestInfo }) => {
    const session = requestInfo && sessions.get(requestInfo);
    if (session === undefined)
      throw new CandorError('internal.bug', 'A request of MCP came without a session.');
    return buildMcpServer({ session, newId, onBug });
  });
  app.all('/mcp', (context) => {
    const request = context.req.raw;
    sessions.set(request, context.get('session'));
    return handler.fetch(request);
  });
}

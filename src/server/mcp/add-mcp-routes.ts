import type { OpenAPIHono } from '@hono/zod-openapi';
import { type AuthInfo, createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { CandorError } from '../../errors.ts';
import type { Session } from '../../session.ts';
import type { ServerEnv, ServerParts } from '../server-parts.ts';
import { buildMcpServer } from './build-mcp-server.ts';

/** `/mcp`: the Model Context Protocol over streamable HTTP; every request sees what its person may see. */
export function addMcpRoutes(app: OpenAPIHono<ServerEnv>, { newId, onBug }: ServerParts): void {
  // What the SDK hands on untouched is who a request is of; the request itself it may read and make anew.
  const sessions = new WeakMap<AuthInfo, Session>();
  const build = (of: AuthInfo | undefined): McpServer => {
    const session = of && sessions.get(of);
    if (session === undefined)
      throw new CandorError('internal.bug', 'A request of MCP came without a session.');
    return buildMcpServer({ session, newId, onBug });
  };
  const handler = createMcpHandler(({ authInfo }) => {
    try {
      return build(authInfo);
    } catch (error) {
      onBug('mcp', error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  });
  app.all('/mcp', (context) => {
    const authInfo: AuthInfo = {
      token: context.get('requestId'),
      clientId: context.get('person').id,
      scopes: [],
    };
    sessions.set(authInfo, context.get('session'));
    return handler.fetch(context.req.raw, { authInfo });
  });
}

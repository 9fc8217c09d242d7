import type { OpenAPIHono } from '@hono/zod-openapi';
import { type AuthInfo, createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { CandorError } from '../../errors.ts';
import type { ServerEnv, ServerParts } from '../parts/server-parts.ts';
import { enter } from '../protect/admit.ts';
import { authorize, mayRun, takeQuestions } from '../protect/authorize.ts';
import { auditSql } from '../protect/hide-sql.ts';
import { buildMcpServer } from './build-mcp-server.ts';
import type { McpParts } from './replies/mcp-parts.ts';

/** `/mcp`: the Model Context Protocol over streamable HTTP; every request sees what its person may see. */
export function addMcpRoutes(app: OpenAPIHono<ServerEnv>, { newId, onBug }: ServerParts): void {
  // What the SDK hands on untouched is who a request is of; the request itself it may read and make anew.
  const partsOf = new WeakMap<AuthInfo, McpParts>();
  const build = (of: AuthInfo | undefined): McpServer => {
    const parts = of && partsOf.get(of);
    if (parts === undefined)
      throw new CandorError('internal.bug', 'A request of MCP came without a session.');
    return buildMcpServer(parts);
  };
  const handler = createMcpHandler(({ authInfo }) => {
    try {
      return build(authInfo);
    } catch (error) {
      onBug('mcp', error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  });
  app.all('/mcp', async (context) => {
    const authInfo: AuthInfo = {
      token: context.get('requestId'),
      clientId: context.get('person').id,
      scopes: [],
    };
    await authorize(context, 'showSql');
    const { name, rights } = context.get('person');
    partsOf.set(authInfo, {
      ...{ session: context.get('session'), newId, onBug, mayRunSql: rights.runSql },
      enter: (line) => enter(context, line),
      onQuestion: () => takeQuestions(context),
      mayRun: () => mayRun(context),
      onSql: (sql, outcome) => auditSql(context, sql, outcome),
      onAnswer: (answer) => context.get('parts').people?.auditAnswer(name, answer),
    });
    return handler.fetch(context.req.raw, { authInfo });
  });
}

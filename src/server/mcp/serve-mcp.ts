import type { Readable, Writable } from 'node:stream';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { needRight, takeQuestion } from '../protect/need-right.ts';
import type { ServerEnv } from '../server-parts.ts';
import { buildMcpServer } from './build-mcp-server.ts';
import type { McpDesk } from './mcp-desk.ts';

export interface McpStreams {
  readonly input: Readable;
  /** Carries the protocol and nothing else. */
  readonly output: Writable;
}

/** Whoever starts the program may do with it what it can. */
const OWN_MACHINE = { mayRunSql: true, onQuestion: () => undefined, onAnswer: () => undefined };

/** Serves MCP over two streams until the input ends or it is closed. */
export async function serveMcpStdio(
  desk: Pick<McpDesk, 'session' | 'newId' | 'onBug'>,
  { input, output }: McpStreams,
  signal: AbortSignal,
): Promise<void> {
  const shared: McpDesk = { ...desk, ...OWN_MACHINE, answers: new Map() };
  const served = serveStdio(() => buildMcpServer(shared), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => desk.onBug(desk.newId(), error),
  });
  await new Promise<void>((resolve) => {
    input.once('end', () => resolve());
    input.once('close', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.close();
}

/** People whose answers are kept for `explain_answer`. */
const MOST_PEOPLE = 1_000;

/** `/mcp`: the streamable HTTP of MCP, a server for each request, under the checks of the other routes. */
export function addMcpRoute(app: OpenAPIHono<ServerEnv>): void {
  const answersOf = new Map<string, McpDesk['answers']>();
  app.all('/mcp', (context) => {
    const { newId, onBug, people } = context.get('parts');
    const { id, name, rights } = context.get('person');
    needRight(context, 'showSql');
    const answers = answersOf.get(id) ?? new Map();
    answersOf.set(id, answers);
    const [oldest] = answersOf.keys();
    if (answersOf.size > MOST_PEOPLE && oldest !== undefined) answersOf.delete(oldest);
    const desk: McpDesk = {
      ...{ session: context.get('session'), answers, newId, onBug, mayRunSql: rights.runSql },
      onQuestion: () => takeQuestion(context),
      onAnswer: (answer) => people?.auditAnswer(name, answer),
    };
    // What a client sends wrongly is told to it; there is nobody else to tell.
    const handler = createMcpHandler(() => buildMcpServer(desk), { onerror: () => undefined });
    return handler.fetch(context.req.raw);
  });
}

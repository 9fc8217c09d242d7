/** The smallest proxy before several servers: one after the other, with no stickiness; the next one where one refuses. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

export interface RoundRobinProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** A request that no server took, since it is closing or gone, is sent to the next: nothing has begun there. */
export async function startRoundRobin(upstreams: readonly string[]): Promise<RoundRobinProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  let turn = 0;
  const pass = (
    from: IncomingMessage,
    to: ServerResponse,
    { body, tries }: { body: Buffer; tries: number },
  ) => {
    const upstream = upstreams[turn++ % upstreams.length] ?? '';
    const next = (): void => {
      if (tries > 1) pass(from, to, { body, tries: tries - 1 });
      else to.writeHead(502).end();
    };
    const { host: _, ...headers } = from.headers;
    const sent = request(`${upstream}${from.url}`, { method: from.method, headers, agent }, (reply) => {
      if (reply.statusCode === 503 && tries > 1) {
        reply.resume();
        return next();
      }
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
      reply.on('error', () => to.destroy());
    });
    sent.on('error', () => (to.headersSent ? to.destroy() : next()));
    to.on('close', () => sent.destroy());
    sent.end(body);
  };
  const server = createServer(async (from, to) => {
    const parts: Buffer[] = [];
    for await (const part of from) parts.push(part);
    pass(from, to, { body: Buffer.concat(parts), tries: upstreams.length });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

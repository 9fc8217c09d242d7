/** A connection that ends after the last row and before the server is ready again. */
import { createServer, connect as dial, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { connect } from '../../src/database/index.ts';
import { describeWithServer, postgresServer } from '../servers/server-of-run.ts';

const LIMITS = { rows: 10, bytes: 10_000, timeoutMs: 30_000 };

/** Passes everything on until the server has sent the given text; then the line is cut. */
async function cutAfter(text: string, serverPort: number): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = dial(serverPort, '127.0.0.1');
    for (const socket of [client, server]) open.add(socket.on('error', () => undefined));
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      client.write(chunk);
      if (!chunk.includes(text)) return;
      client.unpipe(server);
      setTimeout(() => client.destroy(), 20);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    close: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
}

describeWithServer('postgres', 'a line that is cut after the last row', () => {
  it('fails at once, and the next query takes a new connection', async () => {
    const direct = new URL((await postgresServer()).url);
    const proxy = await cutAfter('cut here', Number(direct.port));
    const through = new URL(direct);
    through.port = String(proxy.port);
    through.searchParams.set('sslmode', 'disable');
    const database = await connect(through.href);
    const query = database.query("SELECT 'cut' || ' here' AS v", LIMITS);
    await expect(query).rejects.toMatchObject({ code: 'database.connection-lost' });
    expect((await database.query('SELECT 7 AS v', LIMITS)).rows).toEqual([[7]]);
    await database.close();
    proxy.close();
  }, 20_000);
});

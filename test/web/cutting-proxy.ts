import { createServer, type Server, type Socket, connect as toServer } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** Ends every connection, as a train in a tunnel does; new ones are refused until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** A line to a server that can be cut. */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  const proxy: Server = createServer((client) => {
    if (isCut) return void client.destroy();
    const server = toServer(serverPort, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}

import { connect } from 'node:net';

const CANCEL_CODE = 80_877_102;
const TIMEOUT_MS = 2_000;

export interface BackendKey {
  readonly processId: number;
  readonly secretKey: number;
}

/**
 * Sends PostgreSQL's cancel request: a connection of its own that holds nothing but the key of the one to stop. It
 * needs no free slot on the server. Without TLS, as libpq sent it up to version 16: the key is of use to nobody else
 * for longer than our connection lives. Resolves when the server has taken it.
 */
export function sendCancelRequest(
  { host, port }: { readonly host: string; readonly port: number },
  key: BackendKey,
): Promise<void> {
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(packet.length, 0);
  packet.writeInt32BE(CANCEL_CODE, 4);
  packet.writeInt32BE(key.processId, 8);
  packet.writeInt32BE(key.secretKey, 12);
  return new Promise((resolve, reject) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('the cancel request was not taken')));
    socket.once('error', reject);
    // The server closes the connection once it has acted.
    socket.once('close', () => resolve());
    socket.once('connect', () => socket.write(packet));
    socket.resume();
  });
}

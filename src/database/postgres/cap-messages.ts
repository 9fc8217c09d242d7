/** The driver gathers a message whole before anybody may cap it, and one beyond half a gigabyte ends the program. */
import type { Duplex } from 'node:stream';
import { CandorError } from '../../errors.ts';

const LARGEST_MESSAGE = 256 * 1024 * 1024;
/** One byte for the kind, four for the length, which counts itself. */
const HEADER_LENGTH = 5;
const KIND_LENGTH = 1;

/** Ends a connection of the driver as soon as the server announces a message (a row, mostly) that is larger. */
export function capMessages(connection: object, largest: number = LARGEST_MESSAGE): void {
  // Called by the driver with the stream that is read, which is another one after TLS has begun.
  const attach: unknown = Reflect.get(connection, 'attachListeners');
  if (typeof attach !== 'function')
    throw new CandorError('internal.bug', 'the driver has no attachListeners');
  Reflect.set(connection, 'attachListeners', (stream: Duplex): void => {
    stream.on('data', measureMessages(stream, largest));
    Reflect.apply(attach, connection, [stream]);
  });
}

function measureMessages(stream: Duplex, largest: number): (chunk: Buffer) => void {
  let header: Buffer = Buffer.alloc(0);
  let bodyLeft = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      const skipped = Math.min(bodyLeft, chunk.length - at);
      bodyLeft -= skipped;
      at += skipped;
      const part = chunk.subarray(at, at + HEADER_LENGTH - header.length);
      header = header.length === 0 ? part : Buffer.concat([header, part]);
      at += part.length;
      if (header.length < HEADER_LENGTH) return;
      const length = header.readUInt32BE(KIND_LENGTH);
      if (length > largest) {
        stream.destroy(new CandorError('database.query-failed', 'the server sends a row that is too large'));
        return;
      }
      bodyLeft = length + KIND_LENGTH - HEADER_LENGTH;
      header = header.subarray(HEADER_LENGTH);
    }
  };
}

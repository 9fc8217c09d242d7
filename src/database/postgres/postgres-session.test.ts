import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { capMessages } from './postgres-session.ts';

function message(length: number): Buffer {
  const bytes = Buffer.alloc(1 + length, 'D');
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

/** What ends the connection when the bytes come in pieces of this size. */
async function endOf(bytes: Buffer, size: number): Promise<unknown> {
  const stream = new PassThrough();
  const connection = { attachListeners: (attached: PassThrough) => attached.on('data', () => undefined) };
  capMessages(connection, 100);
  connection.attachListeners(stream);
  const ended = new Promise((resolve) => {
    stream.on('error', resolve);
    stream.on('end', () => resolve('the end'));
  });
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  return ended;
}

it.each([1, 3, 5, 64, 1_000])('lets messages pass that are small enough, in pieces of %i', async (size) => {
  const bytes = Buffer.concat([message(4), message(100), message(4), message(57)]);
  expect(await endOf(bytes, size)).toBe('the end');
});

it.each([1, 3, 5, 64, 1_000])('ends the connection at a larger one, in pieces of %i', async (size) => {
  const found = await endOf(Buffer.concat([message(100), message(4), message(101)]), size);
  expect(found).toHaveProperty('code', 'database.query-failed');
});

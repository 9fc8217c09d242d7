import type { IncomingMessage } from 'node:http';
import { CandorError } from '../../../errors.ts';

/** The body of a request as text. Throws `reward.too-large` as soon as it has too many bytes, and for broken UTF-8. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string> {
  const tooLarge = (): CandorError =>
    new CandorError('reward.too-large', `The request has more than ${mostBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const read = Buffer.from(part);
    bytes += read.length;
    if (bytes > mostBytes) throw tooLarge();
    parts.push(read);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new CandorError('reward.invalid-request', 'The request is not UTF-8.');
  }
}

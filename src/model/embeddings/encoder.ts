/**
 * Entry of the encoder process. It owns the model, so that encoding blocks nobody, a crash of native code takes only
 * this process away, and ending it gives the memory back. It ends by itself when its parent is gone.
 */
import { CandorError, unreachable } from '../../errors.ts';
import { type Encoder, type EncoderSpec, isRequest, type Reply, type Request } from './encoder-protocol.ts';

let encoder: Encoder | null = null;
let queue: Promise<void> = Promise.resolve();

async function answer(request: Request): Promise<Reply> {
  if (request.kind === 'load') {
    encoder = await openEncoder(request.spec);
    return { kind: 'loaded', dimensions: encoder.dimensions };
  }
  if (encoder === null) throw new CandorError('internal.bug', 'no encoder was loaded');
  return { kind: 'encoded', matrix: await encoder.encode(request.texts) };
}

async function openEncoder(spec: EncoderSpec): Promise<Encoder> {
  // Each is imported only where it is needed.
  switch (spec.kind) {
    case 'use-lite':
      return (await import('./use-encoder.ts')).openUseEncoder();
    case 'onnx':
      return (await import('./onnx-encoder.ts')).openOnnxEncoder(spec);
    default:
      return unreachable(spec);
  }
}

function toFailure(error: unknown): Reply {
  if (error instanceof CandorError) return { kind: 'failed', code: error.code, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', code: 'internal.bug', message };
}

function send(reply: Reply): void {
  // The parent may have gone meanwhile; then nothing holds this process and it ends.
  if (process.connected) process.send?.(reply, undefined, {}, () => undefined);
}

process.on('message', (message: unknown) => {
  if (!isRequest(message)) return;
  queue = queue.then(async () => send(await answer(message).catch(toFailure)));
});
// A terminal's Ctrl-C reaches the whole group; the parent decides what to stop.
process.on('SIGINT', () => undefined);

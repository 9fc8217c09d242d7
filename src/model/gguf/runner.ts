/**
 * Entry of the process of a local model. It owns the weights, so that writing blocks nobody, a crash of native code
 * takes only this process away, and ending it gives the memory back. It ends by itself when its parent is gone.
 */
import { CandorError } from '../../errors.ts';
import { chatWithGguf, type GgufTalk } from './gguf-chat.ts';
import { type GgufReply, type GgufRequest, type GgufSpec, isGgufRequest } from './gguf-protocol.ts';
import { openLlama } from './open-llama.ts';

let talk: GgufTalk | null = null;
let isCancelled = false;

async function answer(request: Exclude<GgufRequest, { kind: 'cancel' }>): Promise<GgufReply> {
  isCancelled = false;
  if (request.kind === 'load') {
    talk = await openTalk(request.spec);
    return { kind: 'loaded', contextWindow: talk.sequence.contextSize };
  }
  if (talk === null) throw new CandorError('internal.bug', 'no model was loaded');
  const reply = await chatWithGguf(talk, request.chat, {
    isCancelled: () => isCancelled,
    onProgress: () => send({ kind: 'alive' }),
  });
  return { kind: 'replied', reply };
}

async function openTalk(spec: GgufSpec): Promise<GgufTalk> {
  const opened = await openLlama(spec);
  const { runtime, model } = opened;
  const { contextWindow: asked, threads } = spec;
  try {
    const context = await model.createContext({
      sequences: 1,
      contextSize: asked ?? 'auto',
      ...(threads !== undefined && { threads }),
    });
    const wrapper = runtime.resolveChatWrapper(model, { warningLogs: false });
    return { ...opened, wrapper, sequence: context.getSequence() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CandorError('model.invalid', `${spec.file} cannot be made ready for chats: ${reason}`);
  }
}

function toFailure(error: unknown): GgufReply {
  if (error instanceof CandorError)
    return { kind: 'failed', code: error.code, message: error.message, data: error.data };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed', code: 'internal.bug', message };
}

function send(reply: GgufReply): void {
  // The parent may have gone meanwhile; then nothing holds this process and it ends.
  if (process.connected) process.send?.(reply, undefined, {}, () => undefined);
}

process.on('message', async (message: unknown) => {
  if (!isGgufRequest(message)) return;
  if (message.kind === 'cancel') isCancelled = true;
  else send(await answer(message).catch(toFailure));
});
process.on('disconnect', () => {
  // A chat in its middle would otherwise be written to its end for nobody.
  process.kill(process.pid, 'SIGKILL');
});
// A terminal's Ctrl-C reaches the whole group; the parent decides what to stop.
process.on('SIGINT', () => undefined);

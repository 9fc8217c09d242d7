import { CandorError } from '../../errors.ts';
import { cancelledError, orCancelled } from '../cancelled.ts';
import type { ChatReply, ChatRequest, LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import { type RetryRules, retryTransient } from '../retry-transient.ts';
import { TransientError } from '../transient-error.ts';

export interface CallRules extends RetryRules {
  /** Of one try. */
  readonly timeoutMs: number;
}

/**
 * Tries a call again where another try may help, after the pause that the service names; one that takes too long is
 * stopped and counts as such a failure. Throws what the last try threw.
 */
export function withRetries(model: LanguageModel, rules: CallRules): LanguageModel {
  return {
    ...modelFacts(model),
    chat: (request) =>
      retryTransient(() => tryOnce(model, request, rules), { ...rules, what: 'the chat' }, request.signal),
  };
}

async function tryOnce(
  model: LanguageModel,
  request: ChatRequest,
  { timeoutMs }: CallRules,
): Promise<ChatReply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { signal } = request;
  try {
    const stop = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    // A model that does not heed the signal is not waited for.
    return await orCancelled(model.chat({ ...request, signal: stop }), stop, 'the chat');
  } catch (error) {
    if (signal?.aborted) throw cancelledError('the chat');
    const isOver = timeout.aborted && error instanceof CandorError && error.code === 'model.cancelled';
    if (!isOver) throw error;
    throw new TransientError('model.unreachable', `${model.id} gave no answer in ${timeoutMs / 1000} s`);
  }
}

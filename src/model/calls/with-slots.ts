import { orCancelled, throwIfCancelled } from '../cancelled.ts';
import type { LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import { Slots } from '../slots.ts';

/** A model that answers at most so many calls at once; the others wait in their order, and may be cancelled there. */
export function withSlots(model: LanguageModel, requestsAtOnce: number): LanguageModel {
  const slots = new Slots(requestsAtOnce);
  return {
    ...modelFacts(model),
    chat: (request) => {
      const called = slots.run(async () => {
        throwIfCancelled(request.signal);
        return model.chat(request);
      });
      // Who waits for a place need not wait once it is cancelled; the call itself hears of it by its own signal.
      return orCancelled(called, request.signal, 'the chat');
    },
  };
}

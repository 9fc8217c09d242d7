import type { LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';

/** A model that tells whoever asks right before a request is sent, and holds it back where that throws. */
export function announced(model: LanguageModel): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async ({ onSend, ...request }) => {
      onSend?.();
      return model.chat(request);
    },
  };
}

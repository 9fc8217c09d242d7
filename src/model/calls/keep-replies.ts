import type { LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import { readReply, writeReply } from './reply-file.ts';
import { requestKey } from './request-key.ts';

export interface KeepOptions {
  readonly directory: string;
  /** Hears of what could not be read or kept; the model is asked then. */
  readonly onNotice?: (message: string) => void;
}

/** A model whose replies are kept, and given again to the very same request without asking. */
export function keepReplies(model: LanguageModel, { directory, onNotice }: KeepOptions): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const key = requestKey(model.id, request);
      const found = await readReply(directory, key);
      if (found.kind === 'found') return found.reply;
      if (found.kind === 'damaged')
        onNotice?.(`a kept reply cannot be read and is asked for anew: ${found.path}`);
      const reply = await model.chat(request);
      // What was cut or refused may come whole the next time.
      if (reply.finish === 'length' || reply.finish === 'refused') return reply;
      const isKept = await writeReply(directory, key, { model: model.id, role: request.role ?? '', reply });
      if (!isKept) onNotice?.(`a reply of the model cannot be kept in ${directory}`);
      return reply;
    },
  };
}

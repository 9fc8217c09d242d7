import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../language-model.ts';
import { readReply, writeReply } from './reply-file.ts';
import { requestKey } from './request-key.ts';

/** A model whose every reply is written into a folder, for `replayCalls`. Prompts are not written. */
export function recordCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...model,
    chat: async (request) => {
      const reply = await model.chat(request);
      const kept = { model: model.id, role: request.role ?? '', reply };
      await writeReply(directory, requestKey(model.id, request), kept);
      return reply;
    },
  };
}

/**
 * A model that answers from a folder of recordings and is never asked itself. Throws `model.not-recorded`, which names
 * what records it, for a request that is not there, and `model.invalid` for a recording that cannot be read.
 */
export function replayCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...model,
    host: null,
    chat: async (request) => {
      const key = requestKey(model.id, request);
      const found = await readReply(directory, key);
      if (found.kind === 'found') return found.reply;
      if (found.kind === 'damaged')
        throw new CandorError('model.invalid', `The recording ${found.path} cannot be read.`);
      throw new CandorError(
        'model.not-recorded',
        `${directory} has no recording of this call (${request.role ?? 'chat'}, ${key}); ask once with \`record: ${directory}\` in place of \`replay\` under \`model\` of candor.yml`,
        { data: { key, role: request.role ?? '' } },
      );
    },
  };
}

import { CandorError } from '../../errors.ts';
import type { LanguageModel } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import { readReply, writeReply } from './reply-file.ts';
import { requestKey } from './request-key.ts';

/**
 * A model whose every reply is written into a folder, for `replayCalls`; prompts are not. Throws `model.not-recorded`
 * where that fails: half a recording is none.
 */
export function recordCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const reply = await model.chat(request);
      const kept = { model: model.id, role: request.role ?? '', reply };
      if (!(await writeReply(directory, requestKey(model.id, request), kept)))
        throw new CandorError('model.not-recorded', `The reply cannot be recorded in ${directory}.`);
      return reply;
    },
  };
}

/**
 * A model that answers from a folder of recordings and is never asked itself. Throws `model.not-recorded`, which names
 * what records it, for a request that is not there or a recording that cannot be read.
 */
export function replayCalls(model: LanguageModel, directory: string): LanguageModel {
  return {
    ...modelFacts(model),
    host: null,
    chat: async (request) => {
      const key = requestKey(model.id, request);
      const found = await readReply(directory, key);
      if (found.kind === 'found') return found.reply;
      const problem =
        found.kind === 'damaged'
          ? `the recording ${found.path} cannot be read`
          : `${directory} has no recording of this call (${request.role ?? 'chat'}, ${key})`;
      throw new CandorError(
        'model.not-recorded',
        `${problem}; ask once with \`record: ${directory}\` in place of \`replay\` under \`model\` of candor.yml`,
        { data: { key, role: request.role ?? '' } },
      );
    },
  };
}

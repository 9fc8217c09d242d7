import type { Disclosure } from '../../answer.ts';
import { CandorError, type ErrorCode } from '../../errors.ts';
import { type LanguageModel, modelFacts } from '../../model/index.ts';
import { disclosureOf } from './disclosure-of.ts';

/** Codes of calls that ended before anything was sent. */
const NOT_SENT: ReadonlySet<ErrorCode> = new Set(['model.would-leak']);

/** `model`, with every call noted: what it was told, whether or not it replied. */
export function disclosing(model: LanguageModel, note: (disclosure: Disclosure) => void): LanguageModel {
  return {
    ...modelFacts(model),
    chat: async (request) => {
      const said = {
        ...disclosureOf(request, model.isPrivate === true),
        model: model.id,
        host: model.host ?? null,
      };
      try {
        const reply = await model.chat(request);
        const { promptTokens, completionTokens, cachedTokens } = reply.usage;
        const outcome = reply.isReplayed ? 'replayed' : 'replied';
        const cached = cachedTokens ? { cachedTokens } : {};
        note({ ...said, promptTokens, completionTokens, ...cached, outcome });
        return reply;
      } catch (error) {
        // What was held back was not sent.
        if (!isHeldBack(error)) note({ ...said, promptTokens: 0, completionTokens: 0, outcome: 'failed' });
        throw error;
      }
    },
  };
}

function isHeldBack(error: unknown): boolean {
  return error instanceof CandorError && NOT_SENT.has(error.code);
}

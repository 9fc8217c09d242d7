import type { LanguageModel, TokenUse } from '../language-model.ts';
import { modelFacts } from '../model-facts.ts';
import type { TokenPrice } from '../model-profiles.ts';

const PER_MILLION = 1e6;

/** What the calls of one question cost, whichever models were asked. */
export class CostCounter {
  #dollars = 0;
  #isKnown = true;

  /** The model, with its calls counted. What runs in this process, or was not sent, costs nothing. */
  counted(model: LanguageModel): LanguageModel {
    return {
      ...modelFacts(model),
      chat: async (request) => {
        const reply = await model.chat(request);
        const isFree = reply.isReplayed === true || model.host === null;
        if (!isFree && model.price === undefined) this.#isKnown = false;
        if (!isFree && model.price !== undefined) this.#dollars += costOf(reply.usage, model.price);
        return reply;
      },
    };
  }

  /** US dollars; undefined where the price of a call is not known. */
  get dollars(): number | undefined {
    return this.#isKnown ? this.#dollars : undefined;
  }
}

/** What tokens cost in US dollars; what the service had in its cache counts at its own price. */
export function costOf(
  { promptTokens, completionTokens, cachedTokens = 0 }: TokenUse,
  { prompt, completion, cached = prompt }: TokenPrice,
): number {
  const fresh = Math.max(0, promptTokens - cachedTokens);
  return (fresh * prompt + cachedTokens * cached + completionTokens * completion) / PER_MILLION;
}

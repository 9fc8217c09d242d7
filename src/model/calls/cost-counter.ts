import type { LanguageModel, TokenUse } from '../language-model/language-model.ts';
import { modelFacts } from '../language-model/model-facts.ts';
import type { TokenPrice } from '../language-model/model-profiles.ts';

const PER_MILLION = 1e6;

/** What calls took of a model; `cost` in US dollars, absent where nobody says. */
export interface CallUse {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  readonly cost?: number;
}

/** What the calls of one question, or of one turn, took and cost, whichever models were asked. */
export class CostCounter {
  #dollars = 0;
  #isKnown = true;
  #calls = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #cachedTokens = 0;

  /** The model, with its calls counted. What runs in this process, or was not sent, costs nothing. */
  counted(model: LanguageModel): LanguageModel {
    return {
      ...modelFacts(model),
      chat: async (request) => {
        const reply = await model.chat(request);
        this.#count(reply.usage);
        const isFree = reply.isReplayed === true || model.host === null;
        if (!isFree && model.price === undefined) this.#isKnown = false;
        if (!isFree && model.price !== undefined) this.#dollars += costOf(reply.usage, model.price);
        return reply;
      },
    };
  }

  #count({ promptTokens, completionTokens, cachedTokens = 0 }: TokenUse): void {
    this.#calls += 1;
    this.#promptTokens += promptTokens;
    this.#completionTokens += completionTokens;
    this.#cachedTokens += cachedTokens;
  }

  /** All calls that were replied to, those from a recording too. */
  get use(): CallUse {
    return {
      calls: this.#calls,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cachedTokens: this.#cachedTokens,
      cost: this.dollars,
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

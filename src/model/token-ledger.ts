import type { TokenUse } from './language-model.ts';
import type { TokenPrice } from './model-profiles.ts';

export interface LedgerEntry extends TokenUse {
  /** The role that asked: `hypothesise`, `select tables`, `refine`. */
  readonly role: string;
}

const PER_MILLION = 1e6;

/** What tokens cost in US dollars; what the provider had in its cache counts at its own price. */
export function costOf(
  { promptTokens, completionTokens, cachedTokens = 0 }: TokenUse,
  price: TokenPrice,
): number {
  const { prompt, completion, cached = prompt } = price;
  const fresh = Math.max(0, promptTokens - cachedTokens);
  return (fresh * prompt + cachedTokens * cached + completionTokens * completion) / PER_MILLION;
}

/** Every model call of one question, in order; the cost of a stage is the sum of its entries. */
export class TokenLedger {
  readonly #entries: LedgerEntry[] = [];

  add(role: string, { promptTokens, completionTokens, cachedTokens }: TokenUse): void {
    this.#entries.push({ role, promptTokens, completionTokens, ...(cachedTokens && { cachedTokens }) });
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  /** Prompt and reply tokens of all calls. */
  get total(): number {
    return this.#entries.reduce(
      (sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens,
      0,
    );
  }
}

import type { TokenUse } from './language-model.ts';

export interface LedgerEntry extends TokenUse {
  /** The role that asked: `hypothesise`, `select tables`, `refine`. */
  readonly role: string;
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

/** How replies of a language model are drawn, by what is asked of it. */

export interface Sampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of a reply. */
  readonly maxTokens: number;
}

export interface ModelReasonerSettings {
  /** Hypotheses, choice of tables and fields, refinement. */
  readonly linking: Sampling;
  /** Validation, translation, stand-alone questions and both rankers: what should come out the same each time. */
  readonly judging: Sampling;
  readonly keywords: Sampling;
}

/**
 * Sources: EviLink, table 7 (section 10 of the specification), for linking; ThothAI, section 4, for keywords; one
 * temperature per role where the sources disagree (overview, conflict 14).
 */
export const MODEL_REASONER_DEFAULTS: ModelReasonerSettings = {
  linking: { temperature: 1, topP: 0.95, topK: 40, maxTokens: 16_384 },
  judging: { temperature: 0, maxTokens: 8_192 },
  keywords: { temperature: 0.2, maxTokens: 2_048 },
};

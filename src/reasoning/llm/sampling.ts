/** How replies of a language model are drawn, by what is asked of it. */

export interface Sampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of a reply. */
  readonly maxTokens: number;
  /** Tells draws of one prompt apart. */
  readonly seed?: number;
}

export interface ModelReasonerSettings {
  /** Hypotheses, choice of tables and fields, refinement. */
  readonly linking: Sampling;
  /**
   * Validation, translation, stand-alone questions, both rankers, and the roles of assistance: what should come out the
   * same each time.
   */
  readonly judging: Sampling;
  readonly keywords: Sampling;
  /** Queries; temperature and seed are those of the draw. */
  readonly writing: Omit<Sampling, 'temperature' | 'seed'>;
  /** Fixing, revising, research, reflection, and the judge of tests. */
  readonly mending: Sampling;
  /** Tests that are written before the query. */
  readonly testing: Sampling;
  /** Questions of a benchmark in other words. */
  readonly rewording: Sampling;
  /** Verdicts on what refutes a refusal; the seed is that of the draw. */
  readonly accepting: Omit<Sampling, 'seed'>;
}

/**
 * Sources: EviLink, table 7 (section 10 of the specification), for linking; ThothAI, section 4, for keywords, section 12
 * for tests; one temperature per role where the sources disagree (overview, conflict 14).
 */
export const MODEL_REASONER_DEFAULTS: ModelReasonerSettings = {
  linking: { temperature: 1, topP: 0.95, topK: 40, maxTokens: 16_384 },
  judging: { temperature: 0, maxTokens: 8_192 },
  keywords: { temperature: 0.2, maxTokens: 2_048 },
  writing: { maxTokens: 8_192 },
  mending: { temperature: 0, maxTokens: 8_192 },
  testing: { temperature: 0.7, maxTokens: 4_096 },
  rewording: { temperature: 0.8, maxTokens: 2_048 },
  // Above 0: two verdicts that must agree are two, not one said twice.
  accepting: { temperature: 0.4, maxTokens: 4_096 },
};

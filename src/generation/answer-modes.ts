/** How much is spent on one question that a language model answers. */

export type AnswerMode = 'fast' | 'careful' | 'no-execution';

export interface ModeSettings {
  /** Queries drawn from the model, at most. */
  readonly candidates: number;
  /** Nothing more is drawn once two of what was drawn, the built-in engine's reading among them, give the same rows. */
  readonly stopsWhenTwoAgree: boolean;
  /** Rounds in which a model mends what the checks found and rules could not. */
  readonly fixRounds: number;
  /** Whether a researcher looks for what a wrong name may have meant before it is mended. */
  readonly researches: boolean;
  /** Times a candidate is written anew after a run that failed or gave nothing. */
  readonly revisions: number;
  /** An empty result is revised `always`, or only where a `doubtful` condition speaks against it. */
  readonly revisesEmpty: 'always' | 'doubtful';
  /** Whether the model makes the hypotheses of linking where the gate wants votes; else the built-in engine does. */
  readonly linksByModel: boolean;
  /** Whether the first reading of the built-in engine is a candidate of its own. */
  readonly engineVotes: boolean;
  /** Whether candidates are run before one is chosen. */
  readonly executes: boolean;
  /** Whether the answer is told with what the stored data make of its decisions. */
  readonly observes: boolean;
}

/**
 * Sources: overview, section 2 (modes) and section 9 (rounds); EviLink, section 11 (three candidates, three revisions);
 * LinkedIn, section 5.4 (two rounds of mending).
 */
export const ANSWER_MODES: Readonly<Record<AnswerMode, ModeSettings>> = {
  fast: {
    candidates: 1,
    stopsWhenTwoAgree: false,
    fixRounds: 2,
    researches: false,
    revisions: 1,
    revisesEmpty: 'doubtful',
    linksByModel: false,
    engineVotes: false,
    executes: true,
    observes: false,
  },
  careful: {
    candidates: 3,
    stopsWhenTwoAgree: true,
    fixRounds: 2,
    researches: true,
    revisions: 3,
    revisesEmpty: 'always',
    linksByModel: true,
    engineVotes: true,
    executes: true,
    observes: true,
  },
  'no-execution': {
    candidates: 3,
    stopsWhenTwoAgree: false,
    fixRounds: 2,
    researches: true,
    revisions: 0,
    revisesEmpty: 'doubtful',
    linksByModel: true,
    engineVotes: true,
    executes: false,
    observes: false,
  },
};

export const ANSWER_MODE_NAMES: readonly AnswerMode[] = ['fast', 'careful', 'no-execution'];

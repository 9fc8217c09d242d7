/** What `ask` passes from the reading of a question to who answers it. */

import type { Decision } from '../../boundary/index.ts';
import type { Hypotheses, Reading } from '../../reasoning/index.ts';
import type { Session } from '../../session/index.ts';
import type { Trace } from '../../tracing/index.ts';
import type { AskOptions } from './ask-options.ts';
import type { Outcome } from './build-answer.ts';

/** What a question may mean here, and what follows from it. */
export interface Interpretation {
  readonly decision: Decision;
  /** Which words name what of the schema; none when the words alone decided. */
  readonly links: readonly string[];
  /** The question as the stages read it. */
  readonly text: string;
  readonly chart?: Hypotheses['chart'];
  /** The built-in engine's readings, likeliest first; none when the words alone decided. */
  readonly readings: readonly Reading[];
  /** Words of the question that the built-in engine did not understand. */
  readonly unexplained: readonly string[];
  /** A rule decided it before it was read: no model is asked. */
  readonly isRuled?: true;
}

/** Where and under which terms a question is settled. */
export interface AnswerContext {
  readonly session: Session;
  readonly options: AskOptions;
  readonly trace: Trace;
  /** The present of the question. */
  readonly now: Date;
  /** `performance.now()` when it was asked. */
  readonly start: number;
}

export interface AnswerResult {
  readonly outcome: Outcome;
  readonly thinkMs: number;
}

export function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 100) / 100;
}

/** What a reasoner does for a benchmark: it says questions in other words, and judges what refutes a refusal. */
import type { TokenLedger } from '../../model/index.ts';
import type { WriteQuestion } from './write-reasoner.ts';

/** A question that is to be asked in other words; all texts are data. */
export interface RewordQuestion {
  readonly text: string;
  /** Texts of it that must stand in the new words, in the order in which `fault` may number them. */
  readonly kept: readonly string[];
  /** Texts that must not stand there. */
  readonly avoided: readonly string[];
  /** What is wrong with new words, in a sentence that quotes no data: the model is told it outside of the data. */
  readonly fault: (words: string) => string | undefined;
  readonly ledger: TokenLedger;
  readonly signal?: AbortSignal;
}

interface AcceptVerdict {
  readonly isAccepted: boolean;
  readonly because: string;
}

/**
 * Every call goes into the ledger under its role. A call that gives nothing usable after one repair throws
 * `model.invalid-reply`. Source: BAR-SQL, sections 4, 5 and 12.
 */
export interface BenchReasoner {
  readonly kind: 'model';
  /** One line with nothing wrong in it. */
  reword(question: RewordQuestion): Promise<string>;
  /** Whether the query answers the question wholly; `draw` tells verdicts on one query apart. */
  accept(question: WriteQuestion, sql: string, draw: number): Promise<AcceptVerdict>;
}

import { CandorError, type ErrorCode } from '../errors.ts';

/** A failure that may be over at the next try. */
export class TransientError extends CandorError {
  /** Milliseconds that the service asks to wait; absent where it says nothing. */
  readonly pauseMs: number | undefined;

  constructor(code: ErrorCode, message: string, pauseMs?: number) {
    super(code, message);
    this.pauseMs = pauseMs;
  }
}

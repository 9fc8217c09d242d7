import type { Failure } from './contract.ts';

/** The server refused or could not be reached; `failure` says what to do about it. */
export class ApiError extends Error {
  readonly failure: Failure;
  /** 0: nothing answered. */
  readonly status: number;

  constructor(failure: Failure, status: number) {
    super(failure.message);
    this.failure = failure;
    this.status = status;
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

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

  /** Also behind a proxy, and while one of several servers is restarted: nothing has begun. */
  get isUnreachable(): boolean {
    return [0, 502, 504].includes(this.status) || this.failure.code === 'server.closing';
  }
}

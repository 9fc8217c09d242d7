import { type CandorError, type ErrorCode, toCandorError } from '../../errors.ts';
import type { ServerParts } from '../server-parts.ts';

const STATUSES: Partial<Record<ErrorCode, number>> = {
  'server.sign-in-needed': 401,
  'server.oidc-failed': 502,
  'query.not-approved': 403,
  'server.no-right': 403,
  'server.too-many-tries': 429,
  'server.quota': 429,
  'server.wrong-host': 403,
  'server.wrong-origin': 403,
  'server.unknown-route': 404,
  'server.not-found': 404,
  'record.not-found': 404,
  'jobs.unknown': 404,
  'jobs.not-ended': 409,
  'server.busy': 409,
  'server.changed': 409,
  'server.no-version': 428,
  'server.too-large': 413,
  'server.wrong-type': 415,
  'server.overloaded': 429,
  'server.closing': 503,
  'server.run-lost': 503,
  'database.timeout': 504,
};
const BY_KIND = { caller: 400, environment: 503, bug: 500 } as const;

export interface FailureReply {
  readonly status: number;
  readonly body: {
    readonly error: {
      readonly code: ErrorCode;
      readonly message: string;
      readonly next: string;
      readonly requestId: string;
    };
  };
}

/** What went wrong, for a client. A bug is told by its id alone, for its message may hold anything; `onBug` hears the rest. */
export function failureReply(
  thrown: unknown,
  requestId: string,
  { onBug }: Pick<ServerParts, 'onBug'>,
): FailureReply {
  const failure = toCandorError(thrown);
  const { code, kind, next } = failure;
  if (kind === 'bug') onBug(requestId, thrown instanceof Error ? thrown : failure);
  const message = kind === 'bug' ? 'Something went wrong inside the server.' : messageOf(failure);
  return { status: STATUSES[code] ?? BY_KIND[kind], body: { error: { code, message, next, requestId } } };
}

function messageOf({ message }: CandorError): string {
  return message.slice(0, 2_000);
}

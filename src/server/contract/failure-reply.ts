import { type CandorError, type ErrorCode, toCandorError } from '../../errors.ts';
import { type Places, withoutPlaces } from '../protect/without-places.ts';
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
  'sql.too-large': 413,
  'server.wrong-type': 415,
  'server.overloaded': 429,
  'database.overloaded': 429,
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

export interface Told extends Pick<ServerParts, 'onBug'> {
  readonly session: { readonly config: Places };
}

/**
 * What went wrong, for a client, without where anything lies. A bug is told by its id alone, for its message may hold anything;
 * `onBug` hears the rest.
 */
export function failureReply(thrown: unknown, requestId: string, { onBug, session }: Told): FailureReply {
  const failure = toCandorError(thrown);
  const { code, kind, next } = failure;
  if (kind === 'bug') onBug(requestId, thrown instanceof Error ? thrown : failure);
  const message =
    kind === 'bug' ? 'Something went wrong inside the server.' : messageOf(failure, session.config);
  return { status: STATUSES[code] ?? BY_KIND[kind], body: { error: { code, message, next, requestId } } };
}

function messageOf({ message }: CandorError, places: Places): string {
  return withoutPlaces(message, places).slice(0, 2_000);
}

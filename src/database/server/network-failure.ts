/** What Node reports of sockets and TLS, in our words and codes. */
import { CandorError } from '../../errors.ts';

/** Node's codes for a server that cannot be reached, with what each means. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'the server does not answer',
  EADDRNOTAVAIL: 'the address is not one to connect to',
  ENOENT: 'there is no such socket',
  EACCES: 'the socket may not be used',
};
const LOST: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'PROTOCOL_CONNECTION_LOST'];
const OF_TLS =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO|HANDSHAKE_)/;

/**
 * A CandorError for a failure of the network or of TLS; `undefined` for any other. `phase` tells a connection that
 * was never made (`database.unreachable`) from one that broke (`database.connection-lost`).
 */
export function networkFailure(error: unknown, phase: 'connecting' | 'running'): CandorError | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (OF_TLS.test(code)) {
    return new CandorError('database.tls-failed', `no TLS connection: ${messageOf(error)}`, {
      data: { networkCode: code },
      cause: error,
    });
  }
  const isLost = LOST.includes(code);
  if (!isLost && UNREACHABLE[code] === undefined) return undefined;
  if (phase === 'running') return lostError(error);
  const why = UNREACHABLE[code] ?? 'the server ended the connection at once';
  return new CandorError('database.unreachable', `${why} (${code})`, {
    data: { networkCode: code },
    cause: error,
  });
}

/** The connection broke while something ran on it. */
export function lostError(cause: unknown): CandorError {
  return new CandorError('database.connection-lost', 'the server ended the connection', { cause });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // A host with several addresses fails with one error for each.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

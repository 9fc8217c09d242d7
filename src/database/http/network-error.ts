import { CandorError, type ErrorCode } from '../../errors.ts';

/** Node's codes, by what the user has to do. */
const CODES: readonly (readonly [code: ErrorCode, pattern: RegExp, words: string])[] = [
  [
    'database.unreachable',
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'cannot be reached',
  ],
  ['database.connection-lost', /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'hung up before it answered'],
  ['database.bad-answer', /^(?:HPE_|Z_)/, 'sent what is not HTTP'],
  [
    'database.tls-failed',
    /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/,
    'failed in TLS',
  ],
];

/** What the network did, as an error with a code; anything else comes back as it is. */
export function translateNetworkError(error: unknown, title: string): unknown {
  if (error instanceof CandorError || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Two addresses of one host refuse together.
  if (error instanceof AggregateError) return translateNetworkError(error.errors[0], title);
  const known = CODES.find(([, pattern]) => pattern.test(code));
  if (known !== undefined)
    return new CandorError(known[0], `${title} ${known[2]} (${code})`, { cause: error });
  if (error.message === 'aborted') {
    return new CandorError('database.connection-lost', `${title} hung up in the middle of an answer`, {
      cause: error,
    });
  }
  return error;
}

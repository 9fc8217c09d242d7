/** What PostgreSQL and its driver report, in our codes. */
import { CandorError, type ErrorCode } from '../../errors.ts';
import { lostError, networkFailure } from '../server/network-failure.ts';

/** By SQLSTATE, or by its class where that is all that counts. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  '25006': 'database.not-read-only',
  '25P03': 'database.connection-lost',
  '25P04': 'database.timeout',
  '28': 'database.access-denied',
  '3D000': 'database.not-found',
  '42501': 'database.access-denied',
  '53300': 'database.unreachable',
  '55P03': 'database.locked',
  '57014': 'database.timeout',
  '57P01': 'database.connection-lost',
  '57P02': 'database.connection-lost',
  '57P03': 'database.unreachable',
  '57P05': 'database.connection-lost',
  // A placeholder without its value; the rest of the class is about connections.
  '08P01': 'database.query-failed',
  '08': 'database.connection-lost',
  XX001: 'database.corrupt',
  XX002: 'database.corrupt',
};

/**
 * A CandorError with the server's own words and its SQLSTATE. The error itself is not kept as the cause: its `detail`
 * quotes rows.
 */
export function postgresFailure(error: unknown, phase: 'connecting' | 'running'): CandorError {
  if (error instanceof CandorError) return error;
  const sqlState = readText(error, 'code');
  const message = error instanceof Error ? error.message : String(error);
  // Only messages of the server have a severity; the others are Node's and the driver's.
  if (sqlState !== undefined && readText(error, 'severity') !== undefined) {
    const hint = readText(error, 'hint');
    const position = readText(error, 'position');
    return new CandorError(
      CODES[sqlState] ?? CODES[sqlState.slice(0, 2)] ?? 'database.query-failed',
      hint === undefined ? message : `${message} (${hint})`,
      { data: { sqlState, ...(position === undefined ? {} : { position: Number(position) }) } },
    );
  }
  return networkFailure(error, phase) ?? driverFailure(message, phase, error);
}

/** The driver's own errors have no code. */
function driverFailure(message: string, phase: 'connecting' | 'running', cause: unknown): CandorError {
  if (/SSL connection/i.test(message)) return new CandorError('database.tls-failed', message, { cause });
  if (/timeout expired/i.test(message)) {
    return new CandorError('database.unreachable', 'the server does not answer in time', { cause });
  }
  if (/^(?:SASL|SCRAM)|password/i.test(message)) {
    return new CandorError('database.access-denied', message, { cause });
  }
  if (/Connection terminated|not queryable|was closed/i.test(message)) {
    if (phase === 'running') return lostError(cause);
    return new CandorError('database.unreachable', 'the server ended the connection at once', { cause });
  }
  return new CandorError('internal.bug', message, { cause });
}

function readText(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}

/** What MySQL, MariaDB and their driver report, in our codes. */
import { CandorError, type ErrorCode } from '../../errors.ts';
import { networkFailure } from '../server/network-failure.ts';

/** By the server's error number. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  ...each('database.access-denied', 1044, 1045, 1130, 1142, 1143, 1227, 1251, 1370, 1698, 3118, 4151),
  ...each('database.not-found', 1049),
  ...each('database.unreachable', 1040, 1129, 1203, 1226),
  ...each('database.not-read-only', 1290, 1295, 1568, 1792),
  ...each('database.locked', 1205, 1213),
  ...each('database.cancelled', 1317),
  ...each('database.timeout', 1969, 3024),
  ...each('database.connection-lost', 1053, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031),
  ...each('database.corrupt', 1194, 1712),
]);

function each(code: ErrorCode, ...numbers: number[]): (readonly [number, ErrorCode])[] {
  return numbers.map((number) => [number, code]);
}

/** A CandorError with the server's own words and its SQLSTATE. */
export function mysqlFailure(error: unknown, phase: 'connecting' | 'running'): CandorError {
  if (error instanceof CandorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const network = networkFailure(error, phase);
  if (network !== undefined) return network;
  if (!(error instanceof Error)) return new CandorError('internal.bug', message, { cause: error });
  // Messages of the server have a number and a state; the others are the driver's.
  const { errno: number, sqlState } = { errno: undefined, sqlState: undefined, ...error };
  if (typeof number === 'number' && typeof sqlState === 'string') {
    return new CandorError(CODES.get(number) ?? 'database.query-failed', message, {
      data: { sqlState, errorNumber: number },
    });
  }
  if (/closed state|Connection lost/i.test(message)) {
    const code = phase === 'running' ? 'database.connection-lost' : 'database.unreachable';
    return new CandorError(code, 'the server ended the connection', { cause: error });
  }
  return new CandorError('internal.bug', message, { cause: error });
}

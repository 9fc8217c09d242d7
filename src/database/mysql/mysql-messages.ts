/** What the server warns of while it runs a statement. Its words quote values, so ours are told in their place. */
import { CandorError, type ErrorCode } from '../../errors.ts';
import type { Notice } from '../../results/index.ts';
import { networkFailure } from '../server/network-failure.ts';

/** The server says that rows are missing: the result would be taken for whole. */
const ROWS_CUT = 1931;
/** They tell how a statement is written or run, not of its rows. */
const HARMLESS: ReadonlySet<number> = new Set([1287, 1681, 1739]);

const MEANINGS: ReadonlyMap<number, Notice> = new Map<number, Notice>([
  [1260, { code: 'value-cut', text: 'GROUP_CONCAT was cut at its limit of bytes' }],
  [1265, { code: 'value-cut', text: 'a value was cut to the size of its type' }],
  [1301, { code: 'value-cut', text: 'a text grew beyond what the server sends and became NULL' }],
  [1406, { code: 'value-cut', text: 'a value was cut to the size of its type' }],
  [1264, { code: 'value-misread', text: 'a number beyond its type was taken for the largest that fits' }],
  [
    1292,
    {
      code: 'value-misread',
      text: 'a text was read as the number or date that it begins with, else as 0 or NULL',
    },
  ],
  [1300, { code: 'value-misread', text: 'bytes that are no text of the encoding became NULL' }],
  [1366, { code: 'value-misread', text: 'a text was read as a number that it is not' }],
  [1411, { code: 'value-misread', text: 'a text that is not of the form asked for became NULL' }],
  [1441, { code: 'value-misread', text: 'a date beyond the calendar became NULL' }],
  [1958, { code: 'value-misread', text: 'a text that is no base64 became NULL' }],
  [1365, { code: 'division-by-zero', text: 'a division by zero gave NULL' }],
]);

/**
 * One notice for each kind of warning, with how often. Throws `database.rows-cut` where the server has left out rows.
 * `numbers` are those of the warnings (not the notes) that the server kept.
 */
export function readWarnings(numbers: readonly number[]): readonly Notice[] {
  if (numbers.includes(ROWS_CUT)) {
    throw new CandorError(
      'database.rows-cut',
      'the server stopped in the middle of the statement, so that rows are missing: a recursion went on beyond its limit, or LIMIT ROWS EXAMINED was met',
    );
  }
  const counts = new Map<number, number>();
  for (const number of numbers) {
    if (!HARMLESS.has(number)) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].map(([number, count]) => {
    const { code, text } = MEANINGS.get(number) ?? {
      code: 'engine-warning',
      text: `the engine gave warning ${number}`,
    };
    const times = count === 1 ? '' : ` (${count} times, or more)`;
    return { code, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${times}.` };
  });
}

// What MySQL, MariaDB and their driver report, in our codes.

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

/**
 * Values of Snowflake's SQL API as cells. Every value is a text:
 * https://docs.snowflake.com/en/developer-guide/sql-api/handling-responses#getting-the-data-from-the-results
 */
import type { Cell } from '../../sql/dialects/cell.ts';
import { secondsToNanos, toDateText, toTimestampText, toTimeText } from '../http/time-text.ts';
import { toDecimalCell, toWholeCell } from '../rows/number-cell.ts';

export interface SnowflakeColumn {
  readonly name: string;
  /** Lower or upper case, as `fixed`. */
  readonly type: string;
  readonly scale?: number | null;
}

const SECONDS = /^-?\d+(?:\.\d+)?$/;

/** A date or time that the account's own output format has already made readable stays as it is. */
export function toSnowflakeCell(value: string | null, column: SnowflakeColumn): Cell {
  if (value === null) return null;
  switch (column.type.toLowerCase()) {
    case 'fixed':
    case 'number':
      return (column.scale ?? 0) === 0 && /^-?\d+$/.test(value) ? toWholeCell(value) : toDecimalCell(value);
    case 'decfloat':
      return toDecimalCell(value);
    case 'real':
    case 'float':
      return toFloat(value);
    case 'boolean':
      return value === 'true' || value === '1';
    case 'date':
      return /^-?\d+$/.test(value) ? toDateText(Number(value)) : value;
    case 'time':
      return SECONDS.test(value) ? toTimeText(secondsToNanos(value)) : value;
    case 'timestamp_ntz':
      return SECONDS.test(value) ? toTimestampText(secondsToNanos(value)) : value;
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return toUtcText(value);
    case 'binary':
      return new Uint8Array(Buffer.from(value, 'hex'));
    default:
      return value;
  }
}

/** Seconds since 1970 in UTC; behind a space, the offset in which TIMESTAMP_TZ was written. */
function toUtcText(value: string): string {
  const [seconds = ''] = value.split(' ');
  return SECONDS.test(seconds) ? `${toTimestampText(secondsToNanos(seconds))}+00` : value;
}

function toFloat(value: string): number {
  if (/^-?inf/i.test(value)) return value.startsWith('-') ? -Infinity : Infinity;
  return Number(value);
}

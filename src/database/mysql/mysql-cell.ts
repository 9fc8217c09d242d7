/** From the driver's values, read in the binary protocol, to cells. */
import type { FieldPacket } from 'mysql2';
import type { Cell } from '../../sql/cell.ts';
import { toDecimalCell } from '../number-cell.ts';

/** Type numbers of the protocol. */
const TYPE = {
  decimal: 0,
  float: 4,
  timestamp: 7,
  longlong: 8,
  datetime: 12,
  bit: 16,
  newDecimal: 246,
} as const;

const READERS: ReadonlyMap<number, (value: unknown) => Cell> = new Map([
  [TYPE.decimal, toDecimal],
  [TYPE.newDecimal, toDecimal],
  [TYPE.float, toFloat],
  [TYPE.longlong, toWhole],
  [TYPE.bit, toBits],
  [TYPE.timestamp, toTime],
  [TYPE.datetime, toTime],
]);

/** The reader of a column. `TINYINT(1)` stays a number, as its comparisons are; JSON, sets and times are text. */
export function mysqlCellReader(field: Pick<FieldPacket, 'columnType'>): (value: unknown) => Cell {
  const read = READERS.get(field.columnType ?? -1) ?? toCell;
  return (value) => (value === null || value === undefined ? null : read(value));
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return new Uint8Array(value);
  // Places and vectors come as objects.
  return JSON.stringify(value);
}

/** A number, or text where a number would lose digits. */
function toWhole(value: unknown): Cell {
  return typeof value === 'string' ? BigInt(value) : toCell(value);
}

function toDecimal(value: unknown): Cell {
  return typeof value === 'string' ? toDecimalCell(value) : toCell(value);
}

/** The shortest decimal number that is the same 32-bit float: 0.1, not 0.10000000149011612. */
function toFloat(value: unknown): Cell {
  if (typeof value !== 'number') return toCell(value);
  for (const digits of [6, 7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function toBits(value: unknown): Cell {
  if (!(value instanceof Uint8Array)) return toCell(value);
  const whole = BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`);
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : whole;
}

/** Without the zeros that fill up the fraction. */
function toTime(value: unknown): Cell {
  return typeof value === 'string'
    ? value.replace(/\.(\d*?)0*$/, (_, digits: string) => digits && `.${digits}`)
    : toCell(value);
}

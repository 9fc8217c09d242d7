/** Values of Trino's protocol as cells. */
import type { Cell } from '../../sql/dialects/cell.ts';
import { trimFraction } from '../http/time-text.ts';
import { toDecimalCell } from '../rows/number-cell.ts';

/** A type as the protocol describes it, read as far as cells need. */
interface TypeSignature {
  readonly rawType: string;
  readonly arguments: readonly TypeArgument[];
}

interface TypeArgument {
  readonly name: string | undefined;
  readonly type: TypeSignature | undefined;
}

export type ToCell = (value: unknown) => Cell;

/** How to turn the values of one column into cells; `typeSignature` is that of the protocol's column. */
export function trinoCells(typeSignature: unknown): ToCell {
  const type = readSignature(typeSignature);
  const zones = new ZonedTimes();
  return (value) => (value === null || value === undefined ? null : toCell(value, type, zones));
}

function toCell(value: unknown, type: TypeSignature, zones: ZonedTimes): Cell {
  switch (type.rawType) {
    case 'decimal':
      return toDecimalCell(String(value));
    case 'double':
    case 'real':
      // NaN and the infinities come as texts.
      return Number(value);
    case 'varbinary':
      return new Uint8Array(Buffer.from(String(value), 'base64'));
    case 'array':
    case 'map':
    case 'row':
      return printNested(value, type, zones);
    default:
      return toScalarCell(value, type, zones);
  }
}

function toScalarCell(value: unknown, type: TypeSignature, zones: ZonedTimes): Cell {
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string') return printNested(value, type, zones);
  switch (type.rawType) {
    case 'timestamp':
    case 'time':
    case 'time with time zone':
      return trimFraction(value).replace(/^\+/, '');
    case 'timestamp with time zone':
      return zones.toUtcText(value);
    case 'date':
      return value.replace(/^\+/, '');
    default:
      return value;
  }
}

/** JSON text; a row whose fields have names is an object. Written by hand since JSON.stringify knows no bigint. */
function printNested(value: unknown, type: TypeSignature, zones: ZonedTimes): string {
  if (value === null || value === undefined) return 'null';
  const [first, second] = type.arguments;
  if (type.rawType === 'row' && Array.isArray(value)) {
    const isNamed = type.arguments.every(({ name }) => name !== undefined);
    const parts = value.map((part, index) => {
      const argument = type.arguments[index];
      const text = printNested(part, argument?.type ?? UNKNOWN, zones);
      return isNamed ? `${JSON.stringify(argument?.name)}:${text}` : text;
    });
    return isNamed ? `{${parts.join(',')}}` : `[${parts.join(',')}]`;
  }
  if (Array.isArray(value))
    return `[${value.map((part) => printNested(part, first?.type ?? UNKNOWN, zones)).join(',')}]`;
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}:${printNested(part, second?.type ?? UNKNOWN, zones)}`,
    );
    return `{${parts.join(',')}}`;
  }
  // A number of JSON may have any number of digits.
  if (type.rawType === 'decimal') return String(value);
  const cell = type.rawType === 'varbinary' ? String(value) : toCell(value, type, zones);
  return typeof cell === 'bigint' ? cell.toString() : JSON.stringify(cell);
}

const UNKNOWN: TypeSignature = { rawType: 'unknown', arguments: [] };

function readSignature(signature: unknown): TypeSignature {
  if (typeof signature !== 'object' || signature === null || !('rawType' in signature)) return UNKNOWN;
  const list = 'arguments' in signature && Array.isArray(signature.arguments) ? signature.arguments : [];
  return { rawType: String(signature.rawType), arguments: list.map(readArgument) };
}

/** `{kind: 'TYPE', value: signature}`, or for rows `{kind: 'NAMED_TYPE', value: {fieldName: {name}, typeSignature}}`. */
function readArgument(argument: unknown): TypeArgument {
  const none = { name: undefined, type: undefined };
  if (typeof argument !== 'object' || argument === null || !('value' in argument)) return none;
  const { value } = argument;
  if (typeof value !== 'object' || value === null) return none;
  if (!('typeSignature' in value)) return { name: undefined, type: readSignature(value) };
  const field = 'fieldName' in value ? value.fieldName : undefined;
  const name = typeof field === 'object' && field !== null && 'name' in field ? field.name : undefined;
  return { name: typeof name === 'string' ? name : undefined, type: readSignature(value.typeSignature) };
}

// Trino's `timestamp with time zone` in UTC.

const TEXT = /^([+-]?\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)? (\S+)$/;
const OFFSET = /^([+-])(\d\d):(\d\d)$/;
const MS_PER_MINUTE = 60_000;

/** Remembers the zones of one result: to make a format takes longer than to use it a thousand times. */
export class ZonedTimes {
  readonly #formats = new Map<string, Intl.DateTimeFormat | null>();

  /**
   * `2024-02-29 01:02:03.5 Europe/Berlin` → `2024-02-29 00:02:03.5+00`. Trino sends the local time and the name of the
   * zone: of the hour that a change from summer time repeats, it does not say which one is meant; the first is taken.
   * A text that cannot be read comes back as it is.
   */
  toUtcText(text: string): string {
    return toUtcText(text, (zone) => {
      const known = this.#formats.get(zone);
      if (known !== undefined) return known;
      const format = makeFormat(zone);
      this.#formats.set(zone, format);
      return format;
    });
  }
}

type FormatOf = (zone: string) => Intl.DateTimeFormat | null;

function toUtcText(text: string, formatOf: FormatOf): string {
  const match = TEXT.exec(text);
  if (match === null) return text;
  const [, day = '', time = '', fraction = '', zone = ''] = match;
  const local = Date.parse(`${isoYear(day)}T${time}Z`);
  if (Number.isNaN(local)) return text;
  const utc = toUtc(local, zone, formatOf);
  if (utc === null) return text;
  const iso = new Date(utc).toISOString();
  const at = iso.indexOf('T');
  const date = iso.slice(0, at).replace(/^\+0*/, '');
  return `${trimFraction(`${date} ${iso.slice(at + 1, at + 9)}${fraction}`)}+00`;
}

function toUtc(local: number, zone: string, formatOf: FormatOf): number | null {
  if (zone === 'UTC' || zone === 'Z') return local;
  const fixed = OFFSET.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return local - (fixed[1] === '-' ? -minutes : minutes) * MS_PER_MINUTE;
  }
  const format = formatOf(zone);
  if (format === null) return null;
  // The offset before a change is the one a day earlier: with it, the first of two equal hours is found.
  const earlier = offsetAt(local - 24 * 60 * MS_PER_MINUTE, format);
  const later = offsetAt(local + 24 * 60 * MS_PER_MINUTE, format);
  for (const offset of [earlier, later])
    if (offsetAt(local - offset, format) === offset) return local - offset;
  return local - earlier;
}

/** Milliseconds that the zone is ahead of UTC at that moment. */
function offsetAt(utc: number, format: Intl.DateTimeFormat): number {
  const parts = new Map(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(utc / 1000) * 1000;
}

function makeFormat(zone: string): Intl.DateTimeFormat | null {
  const digits = '2-digit';
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: digits, day: digits },
      ...{ hour: digits, minute: digits, second: digits },
    });
  } catch {
    // A zone that this machine does not know: the text of the engine is the best there is.
    return null;
  }
}

/** ISO 8601 wants a sign and six digits for years beyond 9999 and before 0. */
function isoYear(day: string): string {
  const [, sign = '', year = '', rest = ''] = /^([+-]?)(\d+)(-.*)$/.exec(day) ?? [];
  if (sign === '' && year.length === 4) return day;
  return `${sign === '-' ? '-' : '+'}${year.padStart(6, '0')}${rest}`;
}

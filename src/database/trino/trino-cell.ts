/** Values of Trino's protocol as cells. */
import type { Cell } from '../../sql/cell.ts';
import { trimFraction } from '../http/time-text.ts';
import { toDecimalCell } from '../number-cell.ts';
import { ZonedTimes } from './zoned-time.ts';

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

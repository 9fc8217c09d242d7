/**
 * Values of BigQuery's REST rows as cells. Every value is a text behind `v`:
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/getQueryResults
 */
import { z } from 'zod';
import type { Cell } from '../../sql/dialects/cell.ts';
import { microsToNanos, toTimestampText, trimFraction } from '../http/time-text.ts';
import { toDecimalCell, toWholeCell } from '../rows/number-cell.ts';

export interface BigqueryField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string | undefined;
  readonly fields?: readonly BigqueryField[] | undefined;
}

export const FIELD: z.ZodType<BigqueryField> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    mode: z.string().optional(),
    fields: z.array(FIELD).optional(),
  }),
);

const LIST = z.array(z.object({ v: z.unknown() }));
const RECORD = z.object({ f: LIST });

/** `value` is what stands behind `v`. */
export function toBigqueryCell(value: unknown, field: BigqueryField): Cell {
  if (value === null || value === undefined) return null;
  if (field.mode === 'REPEATED' || field.fields !== undefined) return printNested(value, field);
  return toScalarCell(String(value), field.type);
}

function toScalarCell(text: string, type: string): Cell {
  switch (type) {
    case 'INTEGER':
    case 'INT64':
      return toWholeCell(text);
    case 'FLOAT':
    case 'FLOAT64':
      return Number(text.replace(/^(-?)inf(?:inity)?$/i, '$1Infinity'));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return toDecimalCell(text);
    case 'BOOLEAN':
    case 'BOOL':
      return text === 'true';
    case 'BYTES':
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'TIMESTAMP':
      // Microseconds, as asked for with useInt64Timestamp.
      return /^-?\d+$/.test(text) ? `${toTimestampText(microsToNanos(BigInt(text)))}+00` : text;
    case 'DATETIME':
      return trimFraction(text.replace('T', ' '));
    case 'TIME':
      return trimFraction(text);
    default:
      return text;
  }
}

/** JSON text: an array for a repeated field, an object for a record. */
function printNested(value: unknown, field: BigqueryField): string {
  if (value === null || value === undefined) return 'null';
  if (field.mode === 'REPEATED') {
    const element = { ...field, mode: 'NULLABLE' };
    return `[${LIST.parse(value)
      .map(({ v }) => printNested(v, element))
      .join(',')}]`;
  }
  if (field.fields !== undefined) {
    const { f } = RECORD.parse(value);
    const parts = field.fields.map(
      (part, index) => `${JSON.stringify(part.name)}:${printNested(f[index]?.v, part)}`,
    );
    return `{${parts.join(',')}}`;
  }
  const text = String(value);
  // A number of JSON may have any number of digits.
  if (field.type === 'JSON' || /^(?:BIG)?NUMERIC$/.test(field.type)) return text;
  if (field.type === 'BYTES') return JSON.stringify(text);
  const cell = toScalarCell(text, field.type);
  return typeof cell === 'bigint' ? cell.toString() : JSON.stringify(cell);
}

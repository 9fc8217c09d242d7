/** Dates and times as DuckDB prints them: `2024-02-29`, `2024-02-29 01:02:03.5`, in UTC with `+00`. */

const MICROS_PER_SECOND = 1_000_000n;
const NANOS_PER_SECOND = 1_000_000_000n;
const MS_PER_DAY = 86_400_000;

/** Days since 1970-01-01. */
export function toDateText(days: number): string {
  return isoDate(new Date(days * MS_PER_DAY));
}

/** Nanoseconds since 1970-01-01 00:00:00. */
export function toTimestampText(nanos: bigint): string {
  const seconds = floorDivide(nanos, NANOS_PER_SECOND);
  const fraction = nanos - seconds * NANOS_PER_SECOND;
  const date = new Date(Number(seconds) * 1000);
  return `${isoDate(date)} ${date.toISOString().slice(-13, -5)}${fractionText(fraction)}`;
}

/** Nanoseconds since midnight. */
export function toTimeText(nanos: bigint): string {
  return toTimestampText(nanos).slice('1970-01-01 '.length);
}

/** `'1709168523.500000000'` → 1709168523500000000n: seconds with up to nine decimals. */
export function secondsToNanos(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const nanos = BigInt(whole) * NANOS_PER_SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return text.startsWith('-') ? -nanos : nanos;
}

export function microsToNanos(micros: bigint): bigint {
  return (micros * NANOS_PER_SECOND) / MICROS_PER_SECOND;
}

/** `01:02:03.500` → `01:02:03.5`, `01:02:03.000` → `01:02:03`. */
export function trimFraction(text: string): string {
  return text.replace(/(\.\d*?)0+(?=$|[^\d])/, '$1').replace(/\.(?=$|[^\d])/, '');
}

function fractionText(nanos: bigint): string {
  return nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;
}

/** A year beyond 9999 without the plus sign of ISO 8601. */
function isoDate(date: Date): string {
  const text = date.toISOString();
  const day = text.slice(0, text.indexOf('T'));
  return day.startsWith('+') ? day.slice(1).replace(/^0+(?=\d{5})/, '') : day;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}

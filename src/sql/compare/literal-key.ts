/** Literals by value: numbers as numbers, texts as they are. */
import type { SqlNode } from '../tree/node.ts';

export function literalKey(node: SqlNode): string {
  const value = node.value ?? '';
  return node.flags.string === undefined ? numberKey(value) : textKey(value);
}

export function textKey(value: string): string {
  return `'${value.includes("'") ? value.replaceAll("'", "''") : value}'`;
}

const SHORT_INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** `1`, `1.0`, `01` and `1e0` are one; a number with more digits than a double holds stays as written. */
function numberKey(written: string): string {
  if (SHORT_INTEGER.test(written)) return written;
  const plain = written.replaceAll('_', '').toLowerCase();
  const digits = plain.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '');
  const value = Number(plain);
  return digits.length > 15 || !Number.isFinite(value) ? longNumberKey(plain) : String(value);
}

function longNumberKey(plain: string): string {
  const trimmed = plain.replace(/^0+(?=\d)/, '');
  return /^[\d.]+$/.test(trimmed) && trimmed.includes('.') ? trimmed.replace(/\.?0+$/, '') : trimmed;
}

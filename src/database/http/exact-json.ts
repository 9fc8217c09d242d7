/** JSON whose whole numbers keep every digit. */
import { createHash } from 'node:crypto';

/** Shorter numbers fit a JavaScript number for certain. */
const SAFE_DIGITS = 15;

/**
 * As `JSON.parse`, but whole numbers beyond 2^53 come as bigint: `[9007199254740993]` → `[9007199254740993n]`. Throws
 * SyntaxError on what is not JSON.
 */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  // Long numbers become texts behind a mark; no text of the document can hold the document's own hash.
  const mark = createHash('sha256').update(text).digest('hex');
  return JSON.parse(markWholeNumbers(text, mark), (_key, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const whole = value.slice(mark.length);
    const number = Number(whole);
    return Number.isSafeInteger(number) ? number : BigInt(whole);
  });
}

function markWholeNumbers(text: string, mark: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const sign = text.charCodeAt(at);
    if (sign === 0x22) at = endOfText(text, at);
    else if (sign === 0x2d || (sign >= 0x30 && sign <= 0x39)) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (number.length > SAFE_DIGITS && /^-?\d+$/.test(number)) {
        parts.push(text.slice(copied, at), `"${mark}${number}"`);
        copied = end;
      }
      at = end;
    } else at += 1;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 0x5c) at += 1;
    else if (sign === 0x22) return at + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && '+-.eE0123456789'.includes(text.charAt(at))) at += 1;
  return at;
}

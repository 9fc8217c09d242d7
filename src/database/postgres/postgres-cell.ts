/** From PostgreSQL's text format to cells. The session pins how dates, bytes and floats are printed. */
import type { Cell } from '../../sql/cell.ts';

/** Digits that a JavaScript number holds without loss. */
const EXACT_DIGITS = 15;

/** By type id, which is fixed for the built-in types; every other type (json, uuid, arrays, ranges) stays text. */
const READERS: ReadonlyMap<number, (text: string) => Cell> = new Map([
  [16, (text) => text === 't'],
  [17, toBytes],
  [20, toWhole],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1700, toDecimal],
]);

/** The reader of a column; the driver calls it for every value that is not NULL. */
export function postgresCellReader(typeId: number): (text: string) => Cell {
  return READERS.get(typeId) ?? String;
}

function toWhole(text: string): Cell {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function toDecimal(text: string): Cell {
  return text.replace(/[-.]/g, '').length <= EXACT_DIGITS ? Number(text) : text;
}

/** `\x00ff` */
function toBytes(text: string): Cell {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}

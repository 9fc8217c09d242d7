/** From PostgreSQL's text format to cells. The session pins how dates, bytes and floats are printed. */
import type { Cell } from '../../sql/cell.ts';
import { toDecimalCell, toWholeCell } from '../number-cell.ts';

/** By type id, which is fixed for the built-in types; every other type (json, uuid, arrays, ranges) stays text. */
const READERS: ReadonlyMap<number, (text: string) => Cell> = new Map([
  [16, (text) => text === 't'],
  [17, toBytes],
  [20, toWholeCell],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [1700, toDecimalCell],
]);

/** The reader of a column; the driver calls it for every value that is not NULL. */
export function postgresCellReader(typeId: number): (text: string) => Cell {
  return READERS.get(typeId) ?? String;
}

/** `\x00ff` */
function toBytes(text: string): Cell {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}
